#include "knead/render/image.hpp"

// Calls of the C header in any order with any arguments, as a binding with mistakes would make
// them.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <knead.h>
#include <limits>
#include <string>
#include <vector>

namespace {

// Arguments from the bytes of an input, zeros when they have ended.
class Arguments {
public:
    Arguments(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    bool ended() const { return at_ >= size_; }
    int byte() { return at_ < size_ ? data_[at_++] : 0; }
    int index() { return byte() % 6 - 1; }
    double number() {
        static const std::array<double, 12> odd{0,      1,    -1,  0.5,      1e-300,    1e300,
                                                -1e300, 1e-9, NAN, HUGE_VAL, -HUGE_VAL, 3};
        const int which = byte();
        return which < 200 ? (which - 100) / 50.0
                           : odd[static_cast<std::size_t>(which) % odd.size()];
    }
    // A name that there is, or one that is damaged, or none.
    const char* name() {
        static const std::array<const char*, 24> names{"rigid",
                                                       "stiffness",
                                                       "softness",
                                                       "extent",
                                                       "envelope",
                                                       "offset",
                                                       "bulge",
                                                       "anisotropy.omega",
                                                       "anisotropy.psi",
                                                       "profile.bulge_at",
                                                       "profile.end_at",
                                                       "profile.wrinkles.amplitude",
                                                       "profile.wrinkles.waves",
                                                       "smooth_normals",
                                                       "details",
                                                       "anisotropic",
                                                       "bulge_map",
                                                       "apparent_stiffness",
                                                       "ball_radius",
                                                       "zone",
                                                       "gap",
                                                       "u",
                                                       "",
                                                       nullptr};
        const int which = byte();
        const char* known = names[static_cast<std::size_t>(which) % names.size()];
        if (which < 230 || known == nullptr) return known;
        text_ = known;
        text_ += static_cast<char>(byte());
        return text_.c_str();
    }
    std::vector<double> numbers(std::size_t count) {
        std::vector<double> result(count);
        for (double& value : result) value = number();
        return result;
    }

private:
    const std::uint8_t* data_;
    std::size_t size_, at_ = 0;
    std::string text_;
};

constexpr std::size_t most_calls = 60, most_vertices = 12, most_objects = 5;

// Small meshes of which some are sound: an octahedron that may be damaged.
void add_object(knead_deformer* deformer, Arguments& arguments) {
    std::vector<double> positions = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    std::vector<int> faces = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                              2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    const double height = arguments.number();
    for (std::size_t v = 0; v < 6; ++v) positions[3 * v + 1] += height;
    switch (arguments.byte() % 6) {
    case 0:
        faces[static_cast<std::size_t>(arguments.byte()) % faces.size()] = arguments.byte() - 100;
        break;
    case 1:
        positions =
            arguments.numbers(3 * (static_cast<std::size_t>(arguments.byte()) % most_vertices));
        break;
    case 2:
        faces.resize(static_cast<std::size_t>(arguments.byte()) % 8 * 3);
        break;
    default:
        break;
    }
    int object = -1;
    knead_add_object(deformer, positions.data(), positions.size() / 3, faces.data(),
                     faces.size() / 3, arguments.byte() == 7 ? nullptr : &object);
}

// What comes back is finite wherever the input was.
void solve(knead_deformer* deformer) {
    const knead_status status = knead_solve(deformer);
    if (status == KNEAD_MISTAKE) std::abort();
    if (status != KNEAD_OK && std::strlen(knead_error()) == 0) std::abort();
    if (status != KNEAD_OK) return;
    for (int object = 0; object < static_cast<int>(most_objects); ++object)
        for (std::size_t vertices = 0; vertices <= most_vertices; ++vertices) {
            std::vector<double> positions(3 * vertices);
            if (knead_get_positions(deformer, object, positions.data(), vertices) != KNEAD_OK)
                continue;
            for (const double coordinate : positions)
                if (!std::isfinite(coordinate)) std::abort();
        }
}

void make_call(knead_deformer* deformer, Arguments& arguments, std::size_t& objects) {
    const int object = arguments.index();
    const std::size_t count = static_cast<std::size_t>(arguments.byte()) % (most_vertices + 1);
    int number = -1;
    knead_contact found;
    switch (arguments.byte() % 15) {
    case 0:
    case 1:
        if (objects++ < most_objects) add_object(deformer, arguments);
        break;
    case 2:
        knead_set_positions(deformer, object, arguments.numbers(3 * count).data(), count);
        break;
    case 3: {
        const std::vector<double> numbers = arguments.numbers(3 * count);
        const std::vector<float> singles(numbers.begin(), numbers.end());
        knead_set_positions_f(deformer, object, singles.data(), count);
        break;
    }
    case 4: {
        const char* name = arguments.name();
        knead_set_number(deformer, object, name, arguments.number());
        break;
    }
    case 5: {
        const char* name = arguments.name();
        knead_set_map(deformer, object, name, arguments.numbers(count).data(), count);
        break;
    }
    case 6:
        knead_unset(deformer, object, arguments.name());
        break;
    case 7:
        knead_add_contact(deformer, object, arguments.index(), &number);
        break;
    case 8: {
        const char* name = arguments.name();
        knead_set_contact_number(deformer, object, name, arguments.number());
        break;
    }
    case 9:
        knead_set_direction(deformer, object,
                            arguments.byte() < 50 ? nullptr : arguments.numbers(3).data());
        break;
    case 10:
        knead_set_threads(deformer, arguments.index());
        break;
    case 11: {
        std::vector<double> values(count);
        knead_get_field(deformer, object, arguments.name(), values.data(), count);
        break;
    }
    case 12:
        knead_get_contact(deformer, object, &found);
        knead_get_note(deformer, object);
        break;
    case 13:
        solve(deformer);
        break;
    default:
        knead_set_crossing_free(deformer, object, arguments.index());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Arguments arguments(data, size);
    knead_deformer* deformer = nullptr;
    if (knead_create(&deformer) != KNEAD_OK) return 0;
    std::size_t objects = 0;
    for (std::size_t call = 0; call < most_calls && !arguments.ended(); ++call)
        make_call(deformer, arguments, objects);
    solve(deformer);
    knead_destroy(deformer);
    return 0;
}

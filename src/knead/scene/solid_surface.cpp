#include "knead/scene/solid_surface.hpp"

#include <algorithm>

namespace knead {
namespace {

// Of a solid's radius: nothing thinner along a ray is looked for.
constexpr double thinnest = 1e-3;

class TracedSolid : public TracedSurface {
public:
    TracedSolid(std::shared_ptr<const std::vector<Field>> fields, DeformedField field, const Box& box)
        : fields_(std::move(fields)), field_(std::move(field)), box_(box) {}

    Box box() const override { return box_; }
    std::optional<Crossing> first_crossing(const Vec3& origin, const Vec3& direction, double near,
                                           double far) const override {
        const auto t = knead::first_crossing(field_, origin, direction, near, far,
                                             thinnest * field_.self().field->smallest_radius());
        if (!t) return std::nullopt;
        return Crossing{*t, field_.normal(origin + *t * direction)};
    }
    bool contains(const Vec3& point) const override { return field_.contains(point); }
    double field_at(const Vec3& point) const override {
        for (const Neighbour& neighbour : field_.neighbours())
            if (neighbour.field.value(point) >= 1 - 1e-6)
                return std::max(0.0, field_.self().value(point) - 1);
        return 0;
    }

private:
    std::shared_ptr<const std::vector<Field>> fields_; ///< that the deformed field looks at
    DeformedField field_;
    Box box_;
};

} // namespace

std::vector<std::shared_ptr<const TracedSurface>>
traced_solids(std::span<const Solid> solids, const SolidFrame& frame,
              std::span<const SolidShape> shapes) {
    auto copies = std::make_shared<std::vector<Field>>();
    for (const Solid& solid : solids) copies->push_back(solid.field);
    std::vector<std::shared_ptr<const TracedSurface>> surfaces;
    for (std::size_t i = 0; i < solids.size(); ++i) {
        const DeformedField looked = deformed_field(solids, frame, static_cast<int>(i));
        std::vector<Neighbour> neighbours = looked.neighbours();
        for (std::size_t n = 0; n < neighbours.size(); ++n)
            neighbours[n].field.field = &(*copies)[frame.solids[i].touches[n].other];
        DeformedField field({&(*copies)[i], frame.solids[i].pose}, std::move(neighbours),
                            looked.width());
        // Samples tell how large the solid is, but for the arcs between them and its bulges.
        const Box box = grown(bounding_box(shapes[i].positions), solids[i].samples.spacing);
        surfaces.push_back(std::make_shared<TracedSolid>(copies, std::move(field), box));
    }
    return surfaces;
}

} // namespace knead

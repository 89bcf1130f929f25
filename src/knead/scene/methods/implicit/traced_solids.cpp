#include "knead/scene/methods/implicit/traced_solids.hpp"

#include <algorithm>

namespace knead {
namespace {

// Of a solid's radius: nothing thinner along a ray is looked for.
constexpr double thinnest = 5e-3;

class TracedSolid : public TracedSurface {
public:
    TracedSolid(std::shared_ptr<const std::vector<Field>> fields, DeformedField field,
                std::vector<Box> boxes)
        : fields_(std::move(fields)), field_(std::move(field)), boxes_(std::move(boxes)) {
        for (const Box& box : boxes_) box_.include(box);
    }

    Box box() const override { return box_; }
    std::vector<Box> boxes() const override { return boxes_; }
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
    std::vector<Box> boxes_;
    Box box_;
};

// Around each patch of samples, with the faces that lead away from it. Between its corners the
// surface is nowhere further from a face than a part of its sides. Samples that have not found the
// surface tell nothing about it, and then all of it is looked for everywhere.
std::vector<Box> surface_boxes(const Solid& solid, const SolidShape& shape, const Box& whole) {
    const Samples& samples = solid.samples;
    if (std::find(samples.on_surface.begin(), samples.on_surface.end(), 0) !=
        samples.on_surface.end())
        return {whole};
    std::vector<Box> boxes;
    for (const Samples::Patch& patch : samples.patches) {
        Box box;
        double longest = 0;
        for (const int sample : patch.samples)
            for (const int face : samples.topology->vertex_faces[sample])
                for (int i = 0; i < 3; ++i) {
                    const Vec3 &a = shape.positions[samples.faces[face][i]],
                               &b = shape.positions[samples.faces[face][(i + 1) % 3]];
                    box.include(a);
                    longest = std::max(longest, (b - a).norm());
                }
        if (!box.empty()) boxes.push_back(grown(box, 0.5 * longest));
    }
    return boxes;
}

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
        const Box whole = field.box();
        surfaces.push_back(std::make_shared<TracedSolid>(
            copies, std::move(field), surface_boxes(solids[i], shapes[i], whole)));
    }
    return surfaces;
}

} // namespace knead

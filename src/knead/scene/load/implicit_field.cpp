#include "knead/scene/load/implicit_field.hpp"

#include "knead/base/error.hpp"
#include "knead/implicit/samples.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace {

using Kind = SkeletonPiece::Kind;

std::optional<double> number_at(const std::optional<Keyed<double>>& own,
                                const std::optional<Keyed<double>>& common, double frame) {
    const std::optional<Keyed<double>>& given = own ? own : common;
    return given ? std::optional(given->at(frame)) : std::nullopt;
}

FieldFunction function_at(const SkeletonPiece& piece, const FieldSpec& common, double frame) {
    if (!piece.field.radius && !common.radius)
        throw InputError(fmt::format("{}: there is no radius, expected the key radius in the "
                                     "object's field or its own",
                                     piece.where));
    FieldFunction function;
    function.radius = *number_at(piece.field.radius, common.radius, frame);
    function.influence = number_at(piece.field.influence, common.influence, frame);
    function.stiffness = number_at(piece.field.stiffness, common.stiffness, frame);
    if (piece.field.law.value_or(common.law.value_or(FieldSpec::Law::linear)) ==
        FieldSpec::Law::nonlinear)
        function.law = FieldFunction::Law::nonlinear;
    return completed(function);
}

// From rest to the pose of a frame, for each joint that a piece names.
std::vector<Affine3> motions_of(const SkeletonPiece& piece, const ObjectSkin* skin, double frame,
                                double seconds) {
    std::vector<Affine3> motions;
    if (skin == nullptr) return motions;
    const std::vector<std::string> names = joint_names(*skin);
    const std::vector<Affine3> rest = joints_at_rest(*skin),
                               posed = joints_at(*skin, frame, seconds);
    for (const std::string& name : piece.joints) {
        const auto joint =
            static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        motions.push_back(posed[joint] * rest[joint].inverse());
    }
    return motions;
}

FieldPiece::Shape shape_of(Kind kind) {
    switch (kind) {
    case Kind::point:
        return FieldPiece::Shape::point;
    case Kind::triangle:
    case Kind::triangles:
        return FieldPiece::Shape::triangles;
    default:
        return FieldPiece::Shape::chain;
    }
}

} // namespace

std::vector<FieldPiece> field_pieces(const SceneObject& object, const ObjectSkin* skin,
                                     double frame, double seconds) {
    std::vector<FieldPiece> pieces;
    const FieldSpec& common = object.implicit.field;
    for (const SkeletonPiece& spec : object.implicit.skeleton) {
        FieldPiece piece;
        piece.shape = shape_of(spec.kind);
        piece.function = function_at(spec, common, frame);
        if (spec.field.kind.value_or(common.kind.value_or(FieldSpec::Kind::distance)) ==
            FieldSpec::Kind::convolution)
            piece.kind = FieldPiece::Kind::convolution;
        const std::vector<Affine3> motions = motions_of(spec, skin, frame, seconds);
        for (std::size_t p = 0; p < spec.points.size(); ++p) {
            const Vec3 at_rest = spec.points[p].at(frame);
            piece.points.push_back(motions.empty()       ? at_rest
                                   : motions.size() == 1 ? motions[0] * at_rest
                                                         : motions[p] * at_rest);
        }
        if (spec.kind == Kind::curve) piece.points = sampled_curve(piece.points, spec.samples);
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

Field field_of(const SceneObject& object, std::vector<FieldPiece> pieces) {
    try {
        return Field(std::move(pieces));
    } catch (const InputError& error) {
        // "piece i: what" becomes "file:line: objects[0].skeleton[i]: what".
        std::string_view what = error.what();
        for (std::size_t i = 0; i < object.implicit.skeleton.size(); ++i) {
            const std::string piece = fmt::format("piece {}: ", i);
            if (what.starts_with(piece))
                throw InputError(fmt::format("{}: {}", object.implicit.skeleton[i].where,
                                             what.substr(piece.size())));
        }
        throw InputError(fmt::format("{}: {}", object.implicit.where, what));
    }
}

bool has_field(const ImplicitSpec& implicit) {
    return !implicit.skeleton.empty() &&
           std::all_of(implicit.skeleton.begin(), implicit.skeleton.end(),
                       [&](const SkeletonPiece& piece) {
                           return piece.field.radius || implicit.field.radius;
                       });
}

TriangleMesh sample_mesh(const SceneObject& object, double frame) {
    const Field field = field_of(object, field_pieces(object, nullptr, frame, 0));
    try {
        return polygonize(field, object.implicit.samples);
    } catch (const GeometryError& error) {
        throw GeometryError(fmt::format("{}: {}", object.implicit.where, error.what()));
    }
}

} // namespace knead

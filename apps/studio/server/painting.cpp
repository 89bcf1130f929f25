#include "painting.hpp"

#include "knead/base/error.hpp"
#include "knead/bulge/brush.hpp"
#include "knead/scene/load/mesh_builder.hpp"
#include "knead/spatial/closest_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assets.hpp"

namespace knead::studio {
namespace {

BrushStroke read_stroke(const RequestReader& reader) {
    BrushStroke stroke;
    if (const auto operation = reader.find("operation"))
        stroke.operation =
            operation->choice<BrushOperation>({{"set", BrushOperation::set},
                                               {"add", BrushOperation::add},
                                               {"subtract", BrushOperation::subtract},
                                               {"smooth", BrushOperation::smooth}});
    if (const auto value = reader.find("value")) stroke.value = value->number();
    if (const auto strength = reader.find("strength"))
        stroke.strength = strength->number(bounds::zero_to_one);
    if (const auto low = reader.find("low")) stroke.low = low->number();
    if (const auto high = reader.find("high")) stroke.high = high->number();
    return stroke;
}

// What is painted on: a map as the document has it, a file that the page sent, one number a vertex
// of the mesh's file, or one for all.
std::vector<double> read_values(const SessionState& session, const RequestReader& reader,
                                const MeshFile& source) {
    const auto values = reader.find("values");
    const std::size_t vertices = source.mesh.positions.size();
    if (const auto attribute = reader.find("attribute")) {
        const auto found = source.mesh.attributes.find(attribute->text("the name of a map"));
        if (found == source.mesh.attributes.end()) return std::vector<double>(vertices, 0.0);
        if (found->second.components != 1) attribute->fail("expected a map of one number a vertex");
        return found->second.values;
    }
    if (!values) {
        const auto base = reader.find("base");
        return std::vector<double>(vertices, base ? base->number() : 0);
    }
    if (values->is_text()) {
        const std::string& name = *values->json().text();
        check_asset_name(name);
        const VertexAttribute read = at_key("values", [&] {
            return read_csv_painting({name, session.assets / name, "values"}, source);
        });
        if (read.components != 1) values->fail("expected a file with one number a row");
        return read.values;
    }
    const std::vector<SceneValue> items = values->items("a file or a list of numbers");
    const auto rows = static_cast<std::size_t>(source.file_vertex_count());
    if (items.size() != rows) values->expected(fmt::format("a list of {}, one a vertex", rows));
    std::vector<double> result(vertices, 0.0);
    for (std::size_t v = rows; v-- > 0;)
        result[source.mesh_vertex(static_cast<int>(v))] = items[v].number();
    return result;
}

const Surface& rest_surface(SessionState& session, int object) {
    const LoadedDocument& document = document_of(session);
    const std::uint32_t version = document.mesh_versions[object];
    if (!session.painted || session.painted->version != version)
        session.painted = {version, document.scene,
                           make_surface(document.scene->objects[object].source.mesh)};
    return session.painted->surface;
}

BrushWeights radial_weights(SessionState& session, int object, const FacePoint& center,
                            const RequestReader& reader) {
    const double radius = reader.require("radius", "a length").number(bounds::positive);
    const double frame = reader.require("frame", "the number of a frame").number();
    if (document_of(session).depends_on_time())
        reader.require("brush", "").expected("\"local\" where the scene is simulated");
    const std::shared_ptr<const SolvedFrame> solved = solved_frame(session, frame).solved;
    const std::vector<double>& u = solved->objects[object].u;
    if (u.empty())
        throw InputError(
            fmt::format("{}: nothing touches it at frame {}, expected a contact to paint around",
                        in_quotes(document_of(session).scene->scene.objects[object].name), frame));
    // The page points at the mesh at rest; the ways out of a contact are those of the frame.
    const Surface posed =
        make_surface(rest_surface(session, object).structure, solved->before[object]);
    return radial_brush(posed, u, center, radius);
}

LocalBrush read_local_brush(const RequestReader& reader) {
    LocalBrush brush;
    brush.radius = reader.require("radius", "a length").number(bounds::positive);
    if (const auto falloff = reader.find("falloff"))
        brush.falloff = falloff->number(bounds::zero_to_one);
    if (const auto distance = reader.find("distance"))
        brush.distance = distance->choice<BrushDistance>(
            {{"geodesic", BrushDistance::geodesic}, {"euclidean", BrushDistance::euclidean}});
    return brush;
}

MirrorPlane read_mirror(const SceneValue& mirror) {
    mirror.expect_keys({"point", "normal"});
    MirrorPlane plane;
    read_member(mirror, "point", plane.point, [](const SceneValue& v) { return v.vec3(); });
    read_member(mirror, "normal", plane.normal, [](const SceneValue& v) { return v.vec3(); });
    if (plane.normal.isZero(0)) mirror.fail("expected a normal that points somewhere");
    return plane;
}

// Where a brush is, and on which object.
struct BrushPlaces {
    int object = 0;
    bool is_radial = false;
    std::vector<FacePoint> centers; ///< one, or two with a mirror plane
};

BrushPlaces read_places(SessionState& session, const RequestReader& reader) {
    const SceneValue name = reader.require("object", "the name of an object");
    BrushPlaces places{object_of(document_of(session), name), false, {}};
    places.is_radial = reader.require("brush", "\"local\" or \"radial\"")
                           .choice<bool>({{"local", false}, {"radial", true}});
    const Surface& rest = rest_surface(session, places.object);
    const auto nearest = closest_point(rest, reader.require("at", "a point").vec3());
    if (!nearest) name.fail("its mesh has no faces, expected some to paint on");
    places.centers.push_back(nearest->point);
    if (const auto mirror = reader.find("mirror"))
        places.centers.push_back(mirrored(rest, nearest->point, read_mirror(*mirror)));
    return places;
}

// How far out a weight is in a brush that falls off from its middle on: 0 there, 1 at its edge.
double part_of_radius(double weight) {
    return std::sqrt(std::max(0.0, 1 - std::sqrt(weight)));
}

BrushWeights brush_weights(SessionState& session, const RequestReader& reader) {
    const BrushPlaces places = read_places(session, reader);
    BrushWeights weights;
    for (const FacePoint& center : places.centers) {
        const BrushWeights one = places.is_radial
                                     ? radial_weights(session, places.object, center, reader)
                                     : local_brush(rest_surface(session, places.object), center,
                                                   read_local_brush(reader));
        weights = weights.empty() ? one : together(weights, one);
    }
    return weights;
}

} // namespace

std::vector<double> brush_reach(SessionState& session, const Request& request) {
    // Far enough beyond the edge that it can be drawn between vertices.
    constexpr double beyond = 2;
    const RequestReader reader(request);
    const BrushPlaces places = read_places(session, reader);
    const auto reach_from = [&](const FacePoint& center) {
        if (places.is_radial) return radial_weights(session, places.object, center, reader);
        LocalBrush brush = read_local_brush(reader);
        brush.radius *= beyond;
        brush.falloff = 1;
        return local_brush(rest_surface(session, places.object), center, brush);
    };
    std::vector<double> reach;
    for (const FacePoint& center : places.centers) {
        std::vector<double> one = reach_from(center);
        for (std::size_t v = 0; v < one.size(); ++v) {
            one[v] = places.is_radial && one[v] > 0 ? part_of_radius(one[v])
                                                    : beyond * part_of_radius(one[v]);
            if (!reach.empty()) one[v] = std::min(one[v], reach[v]);
        }
        reach = std::move(one);
    }
    return reach;
}

std::vector<double> paint_map(SessionState& session, const Request& request) {
    const RequestReader reader(request);
    const BrushStroke stroke = read_stroke(reader);
    const BrushWeights weights = brush_weights(session, reader);
    const int object = object_of(document_of(session), reader.require("object", "a name"));
    const MeshFile& source = document_of(session).scene->objects[object].source;
    std::vector<double> map = read_values(session, reader, source);
    paint(rest_surface(session, object).topology(), weights, stroke, map);
    if (source.mesh_vertex_of.empty()) return map;
    std::vector<double> rows;
    for (int v = 0; v < source.file_vertex_count(); ++v) rows.push_back(map[source.mesh_vertex(v)]);
    return rows;
}

} // namespace knead::studio

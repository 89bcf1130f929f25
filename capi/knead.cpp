#include "knead.h"

#include "knead/base/one_at_a_time.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/deform/deform.hpp"
#include "knead/deform/object/named_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

using namespace knead;

namespace {

thread_local std::string last_error;

// So that running out of memory leaves a sentence, too.
knead_status fail(knead_status status, const char* what) noexcept {
    try {
        last_error = what;
    } catch (...) {
        last_error.clear();
    }
    return status;
}

// Nothing that is thrown leaves a function of the header.
template <typename Body>
knead_status guarded(const Body& body) noexcept {
    try {
        body();
        return KNEAD_OK;
    } catch (const Cancelled& error) {
        return fail(KNEAD_STOPPED, error.what());
    } catch (const SolveError& error) {
        return fail(KNEAD_GAVE_UP, error.what());
    } catch (const Error& error) {
        return fail(KNEAD_BAD_INPUT, error.what());
    } catch (const std::bad_alloc&) {
        return fail(KNEAD_NO_MEMORY, "not enough memory for this input, expected a smaller one");
    } catch (const std::length_error&) {
        return fail(KNEAD_NO_MEMORY, "this input takes more than fits into memory");
    } catch (const std::exception& error) {
        return fail(KNEAD_MISTAKE, error.what());
    } catch (...) {
        return fail(KNEAD_MISTAKE, "a mistake in knead itself");
    }
}

void expect(const void* pointer, const char* name) {
    if (pointer == nullptr) throw InputError(fmt::format("{} is null, expected an address", name));
}

// Vertices are counted in int.
void expect_count(std::size_t count, const char* what) {
    constexpr std::size_t most = std::numeric_limits<int>::max() / 4;
    if (count > most)
        throw InputError(fmt::format("found {} {}, expected at most {}", count, what, most));
}

template <typename Number>
std::vector<Vec3> points(const Number* coordinates, std::size_t count) {
    if (count > 0) expect(coordinates, "positions");
    expect_count(count, "vertices");
    std::vector<Vec3> result(count);
    for (std::size_t v = 0; v < count; ++v)
        result[v] = Vec3(coordinates[3 * v], coordinates[3 * v + 1], coordinates[3 * v + 2]);
    return result;
}

double number_in_bounds(const Setting& setting, double value, const std::string& where) {
    if (!setting.bounds.contain(value))
        throw InputError(fmt::format("{}, {} is {}, expected {}", where, setting.name, value,
                                     setting.bounds.words));
    return value;
}

bool flag(std::string_view name, double value, const std::string& where) {
    if (value != 0 && value != 1)
        throw InputError(fmt::format("{}, {} is {}, expected 0 or 1", where, name, value));
    return value == 1;
}

// What is set by name and is no number that may be painted.
constexpr std::string_view rigid = "rigid", anisotropic = "anisotropic",
                           bulge_map = settings::bulge_map.name;

[[noreturn]] void fail_unknown(std::string_view name, const std::string& where) {
    std::vector<std::string_view> names = {rigid, anisotropic, bulge_map};
    for (const NamedSetting& known : named_settings()) names.push_back(known.setting.name);
    const std::optional<std::string> meant = nearest_word(name, names);
    throw InputError(fmt::format("{} has no {}{}", where, single_quoted(name),
                                 meant ? fmt::format(", did you mean '{}'?", *meant) : ""));
}

} // namespace

struct knead_deformer {
    struct Object {
        std::vector<Vec3> positions;
        DeformSettings settings;
        std::map<std::string, std::vector<double>, std::less<>> maps; ///< that the settings look at
    };

    OneAtATime use;
    std::vector<std::shared_ptr<const SurfaceStructure>> structures;
    std::vector<Object> objects;
    std::vector<DeformContact> contacts;
    int threads = 0;
    std::optional<Deformer> deformer; ///< made when first needed
    DeformResult result;
    bool is_solved = false;
    std::mutex stop_lock;
    std::stop_source stop; ///< of the solve that goes on

    Object& object(int index) {
        if (index < 0 || index >= static_cast<int>(objects.size()))
            throw InputError(fmt::format("found object {}, expected one of the {} that were added",
                                         index, objects.size()));
        return objects[index];
    }
    DeformContact& contact(int index) {
        if (index < 0 || index >= static_cast<int>(contacts.size()))
            throw InputError(fmt::format("found contact {}, expected one of the {} that were added",
                                         index, contacts.size()));
        return contacts[index];
    }
    void expect_vertices(int index, std::size_t count) {
        const std::size_t there = object(index).positions.size();
        if (count != there)
            throw InputError(fmt::format("object {} has {} vertices, found room or values for {}",
                                         index, there, count));
    }
    std::span<const Vec3> solved_positions(int index) {
        return is_solved && index < static_cast<int>(result.objects.size())
                   ? std::span<const Vec3>(result.objects[index].positions)
                   : object(index).positions;
    }
};

namespace {

// A call on a deformer, which nobody else may use meanwhile.
template <typename Body>
knead_status call(knead_deformer* deformer, const Body& body) noexcept {
    return guarded([&] {
        expect(deformer, "deformer");
        const OneAtATime::Use use = deformer->use.begin("knead_deformer");
        body(*deformer);
    });
}

template <typename Number>
knead_status set_positions(knead_deformer* deformer, int object, const Number* positions,
                           size_t vertices) noexcept {
    return call(deformer, [&](knead_deformer& d) {
        d.expect_vertices(object, vertices);
        d.object(object).positions = points(positions, vertices);
        d.is_solved = false;
    });
}

template <typename Number>
knead_status get_positions(knead_deformer* deformer, int object, Number* positions,
                           size_t vertices) noexcept {
    return call(deformer, [&](knead_deformer& d) {
        d.expect_vertices(object, vertices);
        if (vertices > 0) expect(positions, "positions");
        for (const Vec3& p : d.solved_positions(object))
            for (const double coordinate : p) *positions++ = static_cast<Number>(coordinate);
    });
}

} // namespace

const char* knead_version(void) {
    return KNEAD_VERSION;
}

const char* knead_error(void) {
    return last_error.c_str();
}

knead_status knead_create(knead_deformer** deformer) {
    return guarded([&] {
        expect(deformer, "deformer");
        *deformer = nullptr;
        *deformer = new knead_deformer;
    });
}

void knead_destroy(knead_deformer* deformer) {
    delete deformer;
}

knead_status knead_add_object(knead_deformer* deformer, const double* positions, size_t vertices,
                              const int* faces, size_t triangles, int* object) {
    return call(deformer, [&](knead_deformer& d) {
        expect(object, "object");
        if (triangles > 0) expect(faces, "faces");
        expect_count(triangles, "triangles");
        knead_deformer::Object added{points(positions, vertices), {}, {}};
        std::vector<Triangle> corners(triangles);
        for (std::size_t f = 0; f < triangles; ++f)
            corners[f] = {faces[3 * f], faces[3 * f + 1], faces[3 * f + 2]};
        auto structure = make_structure(added.positions, corners);
        d.structures.reserve(d.structures.size() + 1);
        d.objects.push_back(std::move(added));
        d.structures.push_back(std::move(structure));
        d.deformer.reset();
        d.is_solved = false;
        *object = static_cast<int>(d.objects.size()) - 1;
    });
}

knead_status knead_set_positions(knead_deformer* deformer, int object, const double* positions,
                                 size_t vertices) {
    return set_positions(deformer, object, positions, vertices);
}

knead_status knead_set_positions_f(knead_deformer* deformer, int object, const float* positions,
                                   size_t vertices) {
    return set_positions(deformer, object, positions, vertices);
}

knead_status knead_set_number(knead_deformer* deformer, int object, const char* name,
                              double value) {
    return call(deformer, [&](knead_deformer& d) {
        expect(name, "name");
        knead_deformer::Object& changed = d.object(object);
        const std::string where = fmt::format("object {}", object);
        if (name == rigid)
            changed.settings.rigid = flag(name, value, where);
        else if (name == anisotropic)
            changed.settings.bulge.map.anisotropic = flag(name, value, where);
        else if (const NamedSetting* known = find_named_setting(name))
            known->of(changed.settings) = number_in_bounds(known->setting, value, where);
        else
            fail_unknown(name, where);
        changed.maps.erase(name);
    });
}

knead_status knead_set_map(knead_deformer* deformer, int object, const char* name,
                           const double* values, size_t vertices) {
    return call(deformer, [&](knead_deformer& d) {
        expect(name, "name");
        d.expect_vertices(object, vertices);
        if (vertices > 0) expect(values, "values");
        knead_deformer::Object& changed = d.object(object);
        const std::string where = fmt::format("object {}", object);
        const NamedSetting* known = find_named_setting(name);
        if (known == nullptr && name != bulge_map) fail_unknown(name, where);
        std::vector<double> map(values, values + vertices);
        const Setting setting = known != nullptr ? known->setting : settings::bulge_map;
        for (std::size_t v = 0; v < vertices; ++v)
            number_in_bounds(setting, map[v], fmt::format("{}, vertex {}", where, v));
        const std::vector<double>& kept = changed.maps[name] = std::move(map);
        if (known != nullptr)
            known->of(changed.settings) = kept;
        else
            changed.settings.bulge.map.painted = kept;
    });
}

knead_status knead_unset(knead_deformer* deformer, int object, const char* name) {
    return call(deformer, [&](knead_deformer& d) {
        expect(name, "name");
        knead_deformer::Object& changed = d.object(object);
        DeformSettings fresh;
        if (name == rigid)
            changed.settings.rigid = fresh.rigid;
        else if (name == anisotropic)
            changed.settings.bulge.map.anisotropic = fresh.bulge.map.anisotropic;
        else if (name == bulge_map)
            changed.settings.bulge.map.painted = {};
        else if (name == settings::extent.name)
            changed.settings.extent.reset();
        else if (const NamedSetting* known = find_named_setting(name))
            known->of(changed.settings) = known->of(fresh);
        else
            fail_unknown(name, fmt::format("object {}", object));
        changed.maps.erase(name);
    });
}

knead_status knead_add_contact(knead_deformer* deformer, int first, int second, int* contact) {
    return call(deformer, [&](knead_deformer& d) {
        expect(contact, "contact");
        d.object(first);
        d.object(second);
        if (first == second)
            throw InputError(fmt::format("found object {} twice, expected two objects", first));
        DeformContact added;
        added.first = first;
        added.second = second;
        d.contacts.push_back(added);
        d.is_solved = false;
        *contact = static_cast<int>(d.contacts.size()) - 1;
    });
}

knead_status knead_set_contact_number(knead_deformer* deformer, int contact, const char* name,
                                      double value) {
    return call(deformer, [&](knead_deformer& d) {
        expect(name, "name");
        ZoneCriterion& zone = d.contact(contact).zone;
        const std::string where = fmt::format("contact {}", contact);
        if (name == settings::apparent_stiffness.name)
            zone.apparent_stiffness = number_in_bounds(settings::apparent_stiffness, value, where);
        else if (name == settings::ball_radius.name)
            zone.ball_radius = number_in_bounds(settings::ball_radius, value, where);
        else
            throw InputError(fmt::format("{} has no {}, expected '{}' or '{}'", where,
                                         single_quoted(name), settings::apparent_stiffness.name,
                                         settings::ball_radius.name));
    });
}

knead_status knead_set_crossing_free(knead_deformer* deformer, int contact, int crossing_free) {
    return call(deformer,
                [&](knead_deformer& d) { d.contact(contact).crossing_free = crossing_free != 0; });
}

knead_status knead_set_direction(knead_deformer* deformer, int contact, const double direction[3]) {
    return call(deformer, [&](knead_deformer& d) {
        std::optional<Vec3>& kept = d.contact(contact).direction;
        if (direction == nullptr)
            kept.reset();
        else
            kept = Vec3(direction[0], direction[1], direction[2]);
    });
}

knead_status knead_set_threads(knead_deformer* deformer, int threads) {
    return call(deformer, [&](knead_deformer& d) {
        if (threads < 0)
            throw InputError(fmt::format("found {} threads, expected at least 0", threads));
        d.threads = threads;
    });
}

knead_status knead_solve(knead_deformer* deformer) {
    return call(deformer, [&](knead_deformer& d) {
        {
            const std::lock_guard guard(d.stop_lock);
            d.stop = std::stop_source();
        }
        const ThreadLimit limit(d.threads);
        if (!d.deformer) d.deformer.emplace(d.structures);
        std::vector<DeformObject> posed;
        for (const knead_deformer::Object& object : d.objects)
            posed.push_back(DeformObject{object.positions, object.settings});
        d.is_solved = false;
        d.deformer->deform(posed, d.contacts, ContactOrder::together, d.result,
                           {{}, d.stop.get_token()});
        d.is_solved = true;
    });
}

void knead_stop(knead_deformer* deformer) {
    if (deformer == nullptr) return;
    const std::lock_guard guard(deformer->stop_lock);
    deformer->stop.request_stop();
}

knead_status knead_get_positions(knead_deformer* deformer, int object, double* positions,
                                 size_t vertices) {
    return get_positions(deformer, object, positions, vertices);
}

knead_status knead_get_positions_f(knead_deformer* deformer, int object, float* positions,
                                   size_t vertices) {
    return get_positions(deformer, object, positions, vertices);
}

knead_status knead_get_field(knead_deformer* deformer, int object, const char* name, double* values,
                             size_t vertices) {
    return call(deformer, [&](knead_deformer& d) {
        struct Field {
            std::string_view name;
            std::vector<double> ObjectOutcome::*values;
            double untouched; ///< where no contact reaches
        };
        static constexpr std::array<Field, 6> fields{{{"zone", &ObjectOutcome::zone, 0},
                                                      {"gap", &ObjectOutcome::gap, 0},
                                                      {"u", &ObjectOutcome::u, 1},
                                                      {"amplitude", &ObjectOutcome::amplitude, 0},
                                                      {"slope", &ObjectOutcome::slope, 0},
                                                      {"eta", &ObjectOutcome::eta, 0}}};
        expect(name, "name");
        d.expect_vertices(object, vertices);
        if (vertices > 0) expect(values, "values");
        const auto field = std::find_if(fields.begin(), fields.end(),
                                        [&](const Field& known) { return known.name == name; });
        if (field == fields.end())
            throw InputError(fmt::format("found the field {}, expected zone, gap, u, amplitude, "
                                         "slope or eta",
                                         single_quoted(name)));
        std::fill(values, values + vertices, field->untouched);
        if (!d.is_solved) return;
        const std::vector<double>& found = d.result.objects[object].*(field->values);
        std::copy(found.begin(), found.end(), values);
    });
}

knead_status knead_get_contact(knead_deformer* deformer, int contact, knead_contact* found) {
    return call(deformer, [&](knead_deformer& d) {
        expect(found, "found");
        d.contact(contact);
        if (!d.is_solved) throw InputError("expected a knead_solve that went well before this");
        const ContactOutcome& outcome = d.result.contacts[contact];
        for (int axis = 0; axis < 3; ++axis) found->direction[axis] = outcome.direction[axis];
        found->depth = outcome.depth;
        for (const int side : {0, 1}) {
            found->zone_area[side] = outcome.zone_area[side];
            found->extent[side] = outcome.extent[side];
        }
    });
}

const char* knead_get_note(knead_deformer* deformer, int contact) {
    const char* note = nullptr;
    call(deformer, [&](knead_deformer& d) {
        d.contact(contact);
        note = d.is_solved ? d.result.contacts[contact].note.c_str() : "";
    });
    return note;
}

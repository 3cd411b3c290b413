/* Box2D 2.4 as a peer. It has no capsules and no rounded polygons: their outlines become polygons
 * of up to eight corners. It has no springs on the angle of a revolute joint: they are left out.
 *
 * Its queries report the fixtures whose fat boxes they meet. For exact results a program must test
 * each fixture, and this file does so. The test excludes the skin of Box2D's polygons, 1 cm. */
#include "peer.h"

#include <algorithm>
#include <box2d/b2_distance.h>
#include <box2d/box2d.h>
#include <vector>

struct peer_world {
    b2World world;
    std::vector<b2Body *> bodies; // by number; NULL if the body is removed
};

namespace {

constexpr int velocity_iterations = 8, position_iterations = 3, max_categories = 16;

b2Vec2 vec(vec2s v) { return b2Vec2(v.x, v.y); }

// ------------------------------------------------------------------------------------------- world

peer_world *create(const cn_world *like) {
    auto *world = new peer_world{b2World(vec(cn_world_gravity(like))), {}};
    world->world.SetAllowSleeping(!cn_world_no_sleep(like));
    return world;
}

void destroy(peer_world *world) { delete world; }

void step(peer_world *world, float dt) {
    world->world.Step(dt, velocity_iterations, position_iterations);
}

// ------------------------------------------------------------------------------------------ bodies

const char *refuse_body(const peer_body *body) {
    for (int i = 0; i < body->shape_count; i++) {
        cn_filter filter = body->shapes[i].def.filter;
        if (filter.category >> max_categories) return "more than 16 categories";
        if (filter.group != static_cast<int16>(filter.group))
            return "group numbers of more than 16 bits";
    }
    return nullptr;
}

/* Writes the outline of a hull that is expanded by its radius, and returns the number of points.
 * Each corner becomes points on its arc, evenly spaced from the normal of the edge before the
 * corner to the normal of the edge after it: 4 points for each end of a capsule, 2 for a corner of
 * a triangle or a box, 1 for a corner of a hull with more corners. */
int write_outline(const cn_hull &hull, b2Vec2 points[b2_maxPolygonVertices]) {
    int points_per_corner = hull.radius > 0 ? b2_maxPolygonVertices / hull.count : 1, count = 0;
    for (int i = 0; i < hull.count; i++) {
        b2Vec2 from = vec(hull.normals[(i + hull.count - 1) % hull.count]);
        b2Vec2 to = vec(hull.normals[i]);
        float arc = b2Atan2(b2Cross(from, to), b2Dot(from, to));
        // The end of a capsule is half a turn in either direction.
        if (arc < 0) arc += 2 * b2_pi;
        for (int k = 0; k < points_per_corner; k++) {
            b2Rot turn(points_per_corner > 1 ? arc * float(k) / float(points_per_corner - 1)
                                             : arc / 2);
            points[count++] = vec(hull.vertices[i]) + hull.radius * b2Mul(turn, from);
        }
    }
    return count;
}

void add_edge(b2Body *body, b2FixtureDef *def, const peer_shape &shape) {
    b2Vec2 p = vec(shape.def.hull.vertices[0]), q = vec(shape.def.hull.vertices[1]);
    b2EdgeShape edge;
    if (shape.is_chained)
        edge.SetOneSided(vec(shape.before), p, q, vec(shape.after));
    else
        edge.SetTwoSided(p, q);
    def->shape = &edge;
    body->CreateFixture(def);
}

void add_circle(b2Body *body, b2FixtureDef *def, const cn_hull &hull) {
    b2CircleShape circle;
    circle.m_radius = hull.radius;
    circle.m_p = vec(hull.vertices[0]);
    def->shape = &circle;
    body->CreateFixture(def);
}

void add_polygon(b2Body *body, b2FixtureDef *def, const cn_hull &hull) {
    b2Vec2 points[b2_maxPolygonVertices];
    int count = write_outline(hull, points);
    b2PolygonShape polygon;
    polygon.Set(points, count);
    def->shape = &polygon;
    body->CreateFixture(def);
}

void add_shape(b2Body *body, const peer_shape &shape) {
    const cn_hull &hull = shape.def.hull;
    b2FixtureDef def;
    def.friction = shape.def.material.friction;
    def.restitution = shape.def.material.restitution;
    def.filter.categoryBits = static_cast<uint16>(shape.def.filter.category);
    def.filter.maskBits = static_cast<uint16>(shape.def.filter.mask);
    def.filter.groupIndex = static_cast<int16>(shape.def.filter.group);
    if (hull.count == 1) return add_circle(body, &def, hull);
    if (hull.count == 2 && hull.radius == 0) return add_edge(body, &def, shape);
    add_polygon(body, &def, hull);
}

// Sets Cairn's mass. Box2D needs the inertia about the body's origin.
void set_mass(b2Body *body, const cn_mass_data &mass) {
    b2MassData data;
    data.mass = mass.mass;
    data.center = vec(mass.center);
    data.I = mass.inertia + mass.mass * b2Dot(data.center, data.center);
    body->SetMassData(&data);
}

void add_body(peer_world *world, const peer_body *body) {
    const cn_body_def &from = body->def;
    b2BodyDef def;
    def.type = from.type == CN_STATIC      ? b2_staticBody
               : from.type == CN_KINEMATIC ? b2_kinematicBody
                                           : b2_dynamicBody;
    def.position = vec(from.position);
    def.angle = from.angle;
    def.linearVelocity = vec(from.velocity);
    def.angularVelocity = from.angular_velocity;
    def.linearDamping = from.linear_damping;
    def.angularDamping = from.angular_damping;
    def.gravityScale = from.gravity_scale;
    def.bullet = from.bullet;
    def.allowSleep = !from.no_sleep;
    def.awake = from.type != CN_DYNAMIC || !from.asleep;
    b2Body *b = world->world.CreateBody(&def);
    for (int i = 0; i < body->shape_count; i++) add_shape(b, body->shapes[i]);
    if (from.type == CN_DYNAMIC) set_mass(b, body->mass);
    world->bodies.push_back(b);
}

void remove_body(peer_world *world, int body) {
    world->world.DestroyBody(world->bodies[size_t(body)]);
    world->bodies[size_t(body)] = nullptr;
}

void set_velocity(peer_world *world, int body, vec2s velocity, float angular) {
    world->bodies[size_t(body)]->SetLinearVelocity(vec(velocity));
    world->bodies[size_t(body)]->SetAngularVelocity(angular);
}

cn_pose pose(const peer_world *world, int body) {
    const b2Body *b = world->bodies[size_t(body)];
    vec2s position;
    position.x = b->GetPosition().x;
    position.y = b->GetPosition().y;
    return cn_pose_at(position, b->GetAngle());
}

// ------------------------------------------------------------------------------------------ joints

const char *refuse_joint(const peer_joint *joint) {
    return joint->def.angle.mode == CN_LOCKED ? "joints with a locked angle" : nullptr;
}

void add_joint(peer_world *world, const peer_joint *joint) {
    const cn_coordinate &angle = joint->def.angle;
    b2RevoluteJointDef def;
    def.bodyA = world->bodies[size_t(joint->a)];
    def.bodyB = world->bodies[size_t(joint->b)];
    def.localAnchorA = vec(joint->def.frame_a.position);
    def.localAnchorB = vec(joint->def.frame_b.position);
    def.referenceAngle = cn_rotation_angle(joint->def.frame_a.rotation) -
                         cn_rotation_angle(joint->def.frame_b.rotation);
    def.collideConnected = joint->def.collide_connected;
    def.enableLimit = angle.mode == CN_LIMITED;
    def.lowerAngle = angle.lower;
    def.upperAngle = angle.upper;
    def.enableMotor = angle.motor;
    def.motorSpeed = angle.motor_speed;
    def.maxMotorTorque = angle.max_motor_force > 0 ? angle.max_motor_force : b2_maxFloat;
    world->world.CreateJoint(&def);
}

// ---------------------------------------------------------------------------------------- counting

void count_body(peer_counts *counts, const b2Body *body) {
    counts->bodies++;
    for (const b2Fixture *f = body->GetFixtureList(); f; f = f->GetNext()) counts->shapes++;
    if (body->GetType() != b2_dynamicBody) return;
    counts->awake += body->IsAwake();
    counts->mass += double(body->GetMass());
    counts->height += double(body->GetPosition().y);
}

peer_counts count(const peer_world *world) {
    peer_counts counts = {};
    int dynamic = 0;
    for (const b2Body *b = world->world.GetBodyList(); b; b = b->GetNext()) {
        count_body(&counts, b);
        dynamic += b->GetType() == b2_dynamicBody;
    }
    for (const b2Contact *c = world->world.GetContactList(); c; c = c->GetNext())
        counts.touching += c->IsTouching();
    counts.contacts = world->world.GetContactCount();
    counts.joints = world->world.GetJointCount();
    if (dynamic > 0) counts.height /= dynamic;
    return counts;
}

// ----------------------------------------------------------------------------------------- queries

const char *refuse_queries(const query_plan *plan) {
    if (plan->type == QUERY_CAST) return "hull casts";
    if (plan->type == QUERY_NEAREST) return "queries for the nearest shape";
    return nullptr;
}

struct ray_hit {
    b2Fixture *fixture;
    b2Vec2 point, normal;
    float fraction;
};

struct nearest_hit final : b2RayCastCallback {
    ray_hit best = {};
    float ReportFixture(b2Fixture *fixture, const b2Vec2 &point, const b2Vec2 &normal,
                        float fraction) override {
        best = {fixture, point, normal, fraction};
        return fraction;
    }
};

struct any_hit final : b2RayCastCallback {
    bool hit = false;
    float ReportFixture(b2Fixture *, const b2Vec2 &, const b2Vec2 &, float) override {
        hit = true;
        return 0;
    }
};

struct all_hits final : b2RayCastCallback {
    std::vector<ray_hit> hits;
    float ReportFixture(b2Fixture *fixture, const b2Vec2 &point, const b2Vec2 &normal,
                        float fraction) override {
        hits.push_back({fixture, point, normal, fraction});
        return 1;
    }
};

// Finds the fixtures that overlap the shape or, if there is no shape, the box.
struct overlaps final : b2QueryCallback {
    b2AABB box;
    const b2Shape *shape = nullptr;
    b2Transform pose;
    std::vector<b2Fixture *> found;

    static float skin_of(const b2Shape *of) {
        return of->GetType() == b2Shape::e_polygon ? of->m_radius : 0;
    }

    bool meets_box(const b2Fixture *fixture) const {
        b2AABB tight;
        fixture->GetShape()->ComputeAABB(&tight, fixture->GetBody()->GetTransform(), 0);
        float skin = skin_of(fixture->GetShape());
        tight.lowerBound += b2Vec2(skin, skin);
        tight.upperBound -= b2Vec2(skin, skin);
        return b2TestOverlap(tight, box);
    }

    bool meets_shape(const b2Fixture *fixture) const {
        b2DistanceInput input;
        input.proxyA.Set(shape, 0);
        input.proxyB.Set(fixture->GetShape(), 0);
        input.proxyA.m_radius -= skin_of(shape);
        input.proxyB.m_radius -= skin_of(fixture->GetShape());
        input.transformA = pose;
        input.transformB = fixture->GetBody()->GetTransform();
        input.useRadii = true;
        b2SimplexCache cache;
        cache.count = 0;
        b2DistanceOutput output;
        b2Distance(&output, &cache, &input);
        return output.distance < 10 * b2_epsilon;
    }

    bool ReportFixture(b2Fixture *fixture) override {
        if (shape ? meets_shape(fixture) : meets_box(fixture)) found.push_back(fixture);
        return true;
    }
};

b2AABB box_of(const cn_bounds &bounds) {
    b2AABB box;
    box.lowerBound = vec(bounds.lower);
    box.upperBound = vec(bounds.upper);
    return box;
}

void query_nearest_hit(const b2World &world, const query &q, query_result *result) {
    nearest_hit callback;
    world.RayCast(&callback, vec(q.origin), vec(q.origin) + vec(q.translation));
    if (callback.best.fixture) query_add(result, double(callback.best.fraction));
}

void query_any_hit(const b2World &world, const query &q, query_result *result) {
    any_hit callback;
    world.RayCast(&callback, vec(q.origin), vec(q.origin) + vec(q.translation));
    result->count += callback.hit;
}

void query_all_hits(const b2World &world, const query &q, all_hits *callback,
                    query_result *result) {
    callback->hits.clear();
    world.RayCast(callback, vec(q.origin), vec(q.origin) + vec(q.translation));
    std::sort(callback->hits.begin(), callback->hits.end(),
              [](const ray_hit &a, const ray_hit &b) { return a.fraction < b.fraction; });
    for (const ray_hit &hit : callback->hits) query_add(result, double(hit.fraction));
}

void query_overlaps(const b2World &world, const query_batch &batch, const query &q,
                    overlaps *callback, query_result *result) {
    callback->found.clear();
    callback->box = box_of(cn_hull_bounds(batch.hull, q.pose));
    callback->pose.p = vec(q.origin);
    callback->pose.q.c = q.pose.rotation.c;
    callback->pose.q.s = q.pose.rotation.s;
    world.QueryAABB(callback, callback->box);
    result->count += callback->found.size();
}

query_result run_queries(peer_world *world, const query_batch *batch) {
    query_result result = {};
    all_hits all;
    overlaps overlap;
    b2PolygonShape box;
    if (batch->plan->type == QUERY_OVERLAP) {
        box.SetAsBox(batch->plan->half_width, batch->plan->half_height);
        overlap.shape = &box;
    }
    for (int i = 0; i < batch->plan->count; i++) {
        const query &q = batch->items[i];
        switch (batch->plan->type) {
        case QUERY_RAY:
        case QUERY_RAYS: query_nearest_hit(world->world, q, &result); break;
        case QUERY_RAY_ANY: query_any_hit(world->world, q, &result); break;
        case QUERY_RAY_ALL: query_all_hits(world->world, q, &all, &result); break;
        case QUERY_BOUNDS:
        case QUERY_OVERLAP: query_overlaps(world->world, *batch, q, &overlap, &result); break;
        case QUERY_CAST:
        case QUERY_NEAREST: break; // refused
        }
    }
    return result;
}

} // namespace

extern "C" {
extern const peer peer_box2d;
const peer peer_box2d = {
    "box2d " PEER_BOX2D,
    "8 velocity and 3 position iterations, no substeps; capsules and rounded hulls become polygons "
    "of 8 corners, springs on revolute joints are left out",
    refuse_body,
    refuse_joint,
    refuse_queries,
    create,
    destroy,
    add_body,
    remove_body,
    add_joint,
    set_velocity,
    pose,
    step,
    count,
    run_queries,
};
}

/* Uses every function of shisa.h. */
#include "shisa.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 37

static int line;

static void fail(const char *what, const shisa_error *error) {
    printf("line %d: %s: %s: %s\n", line, what, error->code, error->message);
    exit(1);
}

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        line = __LINE__;                                                                                               \
        if ((call) != SHISA_OK) fail(#call, &error);                                                                   \
    } while (0)
#define HOLDS(condition)                                                                                               \
    do {                                                                                                               \
        line = __LINE__;                                                                                               \
        if (!(condition)) fail(#condition, &error);                                                                    \
    } while (0)
#define FAILS(call, with, text)                                                                                        \
    do {                                                                                                               \
        line = __LINE__;                                                                                               \
        memset(&error, 0, sizeof error);                                                                               \
        if ((call) != (with) || error.status != (with) || strcmp(error.code, text) != 0) fail(#call, &error);          \
    } while (0)

static shisa_error error;

static shisa_register reg(const shisa_program *program, const char *name) {
    shisa_register found;
    MUST(shisa_program_register(program, name, &found, &error));
    return found;
}

/* The source of a program of AGAL: op = va0 * vc1 + vc2. */
static const char agal[] = "// agal 1 vertex\nmul vt0, va0, vc1\nadd op, vt0, vc2\n";

static void run_agal(shisa_engine wanted) {
    shisa_options options = {0, 0, 0, 0};
    shisa_program *program;
    shisa_runner *runner;
    const float constants[8] = {2, 3, 4, 5, 10, 20, 30, 40};
    float positions[LANES * 5], results[LANES * 4], columns[LANES * 4];
    uint8_t killed[LANES];
    shisa_input input = {{0, 0, 0}, positions, LANES * 5, 1, 5, 1};
    shisa_output output = {{0, 0, 0}, 0, 4, 1};
    int lane, i;

    options.engine = wanted;
    MUST(shisa_program_open(agal, sizeof agal - 1, NULL, &options, &program, &error));
    HOLDS(shisa_program_engine(program) != SHISA_BEST);
    HOLDS(shisa_program_engine(program) <= wanted);
    /* Either the wanted engine runs it, or there is a reason. */
    HOLDS((shisa_program_engine(program) == wanted) == (shisa_program_refused(program)[0] == 0));
    HOLDS((shisa_program_engine(program) == SHISA_MACHINE_CODE) == (shisa_program_code_size(program) > 0));
    MUST(shisa_runner_create(program, &runner, &error));
    input.reg = reg(program, "va0");
    output.reg = reg(program, "op");
    MUST(shisa_runner_set_floats(runner, reg(program, "vc1"), constants, 8, &error));
    for (i = 0; i < LANES * 5; i++) positions[i] = (float)i / 4;
    memset(results, 0xff, sizeof results);
    memset(killed, 7, sizeof killed);
    /* A runner outlives its program. */
    shisa_program_destroy(program);
    MUST(shisa_runner_run(runner, LANES, &input, 1, &output, 1, results, LANES * 4, killed, &error));
    for (lane = 0; lane < LANES; lane++) {
        HOLDS(killed[lane] == 0);
        for (i = 0; i < 4; i++) {
            HOLDS(results[lane * 4 + i] == positions[lane * 5 + 1 + i] * constants[i] + constants[4 + i]);
        }
    }
    /* The same as separate columns. */
    output.stride = 1;
    output.step = LANES;
    MUST(shisa_runner_run(runner, LANES, &input, 1, &output, 1, columns, LANES * 4, NULL, &error));
    for (lane = 0; lane < LANES; lane++) {
        for (i = 0; i < 4; i++) HOLDS(columns[i * LANES + lane] == results[lane * 4 + i]);
    }
    FAILS(shisa_runner_run(runner, LANES + 1, &input, 1, &output, 1, results, LANES * 4, NULL, &error), SHISA_ARGUMENT,
          "exec-attribute");
    FAILS(shisa_runner_run(runner, SIZE_MAX, &input, 1, &output, 1, results, LANES * 4, NULL, &error), SHISA_ARGUMENT,
          "exec-attribute");
    FAILS(shisa_runner_run(runner, LANES, &input, SIZE_MAX / 8, &output, 1, results, LANES * 4, NULL, &error),
          SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_runner_run(runner, LANES, &input, 1, NULL, 1, results, LANES * 4, NULL, &error), SHISA_ARGUMENT,
          "c-argument");
    FAILS(shisa_runner_run(runner, LANES, &input, 1, &output, 1, positions, LANES * 4, NULL, &error), SHISA_ARGUMENT,
          "c-argument");
    FAILS(shisa_runner_run(runner, LANES, &input, 1, &output, 1, (char *)results + 1, 1, NULL, &error), SHISA_ARGUMENT,
          "c-argument");
    FAILS(shisa_runner_set_booleans(runner, input.reg, killed, 1, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_runner_set_floats(runner, input.reg, constants, 4, &error), SHISA_ARGUMENT, "exec-attribute");
    shisa_runner_destroy(runner);
}

/*
 * The memory of an emulated shader unit, with a program of 8 words at word 100. All else has bits that are not
 * instructions.
 *
 *     mul r0, c0, v0
 *     ifu b0
 *         add r0, c1, r0
 *     .end
 *     for i0
 *         add r0, c2, r0
 *     .end
 *     rcp r1, c1.y
 *     mul o0, r1, r0
 *     end
 */
#define ENTRY 100
static const uint32_t words[8] = {0x22020000, 0x9c000c00 + (ENTRY << 10), 0x02021800, 0xa4001000 + (ENTRY << 10),
                                  0x02022800, 0x3a221001,                 0x20011800, 0x88000000};

/* Runs the program on these positions; results are o0 and o15. */
static void run_pica200(shisa_engine wanted, shisa_floats floats, float divisor, const float *positions, float *results) {
    static uint32_t code[4096], descriptors[128];
    const float constants[12] = {0.5f, 0.25f, 2, 1, 0, 0, 0, 0, 0.5f, 0, 1, -1};
    const uint32_t iterations[4] = {2, 0, 1, 0};
    const uint8_t yes = 1;
    float row[4] = {1, 0, 3, 4};
    float given[LANES * 4];
    shisa_options options = {0, 0, 0, 0};
    shisa_program *program;
    shisa_runner *runner;
    shisa_input input = {{0, 0, 0}, given, LANES * 4, 0, 4, 1};
    shisa_output outputs[2] = {{{0, 0, 0}, 0, 8, 1}, {{0, 0, 0}, 4, 8, 1}};

    row[1] = divisor;
    memset(code, 0xff, sizeof code);
    memset(descriptors, 0xff, sizeof descriptors);
    memcpy(code + ENTRY, words, sizeof words);
    descriptors[0] = 0x0006c36f;
    descriptors[1] = 0x00000aaf;
    options.engine = wanted;
    options.floats = floats;
    MUST(shisa_program_from_pica200(code, 4096, descriptors, 128, ENTRY, &options, &program, &error));
    HOLDS(wanted == SHISA_BEST || shisa_program_engine(program) <= wanted);
    MUST(shisa_runner_create(program, &runner, &error));
    memcpy(given, positions, sizeof given);
    MUST(shisa_program_round(program, given, LANES * 4, &error));
    MUST(shisa_runner_set_floats(runner, reg(program, "c0"), constants, 12, &error));
    MUST(shisa_runner_set_floats(runner, reg(program, "c1"), row, 4, &error));
    MUST(shisa_runner_set_integers(runner, reg(program, "i0"), iterations, 4, &error));
    MUST(shisa_runner_set_booleans(runner, reg(program, "b0"), &yes, 1, &error));
    input.reg = reg(program, "v0");
    outputs[0].reg = reg(program, "o0");
    outputs[1].reg = reg(program, "o15");
    memset(results, 0xff, LANES * 8 * sizeof *results);
    MUST(shisa_runner_run(runner, LANES, &input, 1, outputs, 2, results, LANES * 8, NULL, &error));
    shisa_runner_destroy(runner);
    shisa_program_destroy(program);
}

static void pica200(shisa_floats floats) {
    const float c0[4] = {0.5f, 0.25f, 2, 1}, c1[4] = {1, 2, 3, 4}, c2[4] = {0.5f, 0, 1, -1};
    float positions[LANES * 4], results[LANES * 8], others[LANES * 8];
    shisa_engine engine;
    int i;

    for (i = 0; i < LANES * 4; i++) positions[i] = (float)i / 4;
    run_pica200(SHISA_BEST, floats, 2, positions, results);
    for (i = 0; i < LANES * 4; i++) {
        /* All of these are exact, in float24, too. */
        HOLDS(results[i / 4 * 8 + i % 4] == (positions[i] * c0[i % 4] + c1[i % 4] + 3 * c2[i % 4]) / 2);
        /* The program never writes o15. */
        HOLDS(results[i / 4 * 8 + 4 + i % 4] == 0);
    }
    /* These are not. */
    for (i = 0; i < LANES * 4; i++) positions[i] = (float)i / 7;
    run_pica200(SHISA_EVALUATOR, floats, 3, positions, results);
    for (engine = SHISA_BEST; engine <= SHISA_MACHINE_CODE; engine++) {
        run_pica200(engine, floats, 3, positions, others);
        if (floats != SHISA_FAST) HOLDS(memcmp(results, others, sizeof results) == 0);
        for (i = 0; i < LANES * 8; i++) HOLDS(fabsf(results[i] - others[i]) <= 1e-6f * fabsf(results[i]));
    }
}

static void rounding(void) {
    shisa_program *exact, *emulated;
    shisa_options options = {0, 0, 0, 0};
    float a = 0.1f, b = 0.1f;
    MUST(shisa_program_from_pica200(words + 7, 1, NULL, 0, 0, NULL, &exact, &error));
    options.floats = SHISA_F32;
    MUST(shisa_program_from_pica200(words + 7, 1, NULL, 0, 0, &options, &emulated, &error));
    MUST(shisa_program_round(exact, &a, 1, &error));
    MUST(shisa_program_round(emulated, &b, 1, &error));
    HOLDS(a != 0.1f && fabsf(a - 0.1f) < 1e-6f);
    HOLDS(b == 0.1f);
    shisa_program_destroy(exact);
    shisa_program_destroy(emulated);
}

static void refusals(void) {
    static const char bytes[] = "neither";
    shisa_options options = {9, 0, 0, 0};
    shisa_program *program = NULL;
    shisa_runner *runner = NULL;
    shisa_register found;
    FAILS(shisa_program_open(bytes, sizeof bytes - 1, NULL, NULL, &program, &error), SHISA_PROGRAM, "not-recognised");
    FAILS(shisa_program_open(NULL, 4, NULL, NULL, &program, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_program_open(NULL, 0, NULL, NULL, &program, &error), SHISA_PROGRAM, "not-recognised");
    FAILS(shisa_program_open(agal, SIZE_MAX, NULL, NULL, &program, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_program_open(agal, sizeof agal - 1, "2", NULL, &program, &error), SHISA_ARGUMENT, "no-program");
    FAILS(shisa_program_open(agal, sizeof agal - 1, NULL, &options, &program, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_program_open(agal, sizeof agal - 1, NULL, NULL, NULL, &error), SHISA_ARGUMENT, "c-argument");
    options.engine = 0;
    options.floats = 3;
    FAILS(shisa_program_open(agal, sizeof agal - 1, NULL, &options, &program, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_program_from_pica200(NULL, 4, NULL, 0, 0, NULL, &program, &error), SHISA_ARGUMENT, "c-argument");
    HOLDS(program == NULL);
    HOLDS(shisa_program_open(bytes, sizeof bytes - 1, NULL, NULL, &program, NULL) == SHISA_PROGRAM);
    FAILS(shisa_runner_create(NULL, &runner, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_runner_run(NULL, 1, NULL, 0, NULL, 0, NULL, 0, NULL, &error), SHISA_ARGUMENT, "c-argument");
    MUST(shisa_program_open(agal, sizeof agal - 1, "1", NULL, &program, &error));
    FAILS(shisa_program_register(program, "vt0", &found, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_program_register(program, "va99", &found, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_program_register(program, "\xff", &found, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_program_register(program, "va0", NULL, &error), SHISA_ARGUMENT, "c-argument");
    shisa_program_destroy(program);
    shisa_program_destroy(NULL);
    shisa_runner_destroy(NULL);
    HOLDS(shisa_program_engine(NULL) == SHISA_BEST);
    HOLDS(shisa_program_code_size(NULL) == 0 && shisa_program_refused(NULL)[0] == 0);
}

/* A loop of 256 iterations, and a limit on the instructions of all lanes or of one that it exceeds. */
static void limits(shisa_engine engine) {
    const uint32_t code[5] = {0x4e000000, 0xa4000800, 0x22010800, 0x4c010000, 0x88000000}, descriptor = 0x0006c36f;
    const uint32_t iterations[4] = {255, 0, 1, 0};
    float results[4] = {0};
    shisa_options options = {0, 0, 0, 0};
    shisa_output output = {{0, 0, 0}, 0, 4, 1};
    shisa_program *program;
    shisa_runner *runner;
    int which;

    options.engine = engine;
    for (which = 0; which < 3; which++) {
        options.run_steps = which == 1 ? 100 : 0;
        options.lane_steps = which == 2 ? 100 : 0;
        MUST(shisa_program_from_pica200(code, 5, &descriptor, 1, 0, &options, &program, &error));
        MUST(shisa_runner_create(program, &runner, &error));
        output.reg = reg(program, "o0");
        MUST(shisa_runner_set_integers(runner, reg(program, "i0"), iterations, 4, &error));
        if (which == 0) {
            MUST(shisa_runner_run(runner, 1, NULL, 0, &output, 1, results, 4, NULL, &error));
        } else {
            FAILS(shisa_runner_run(runner, 1, NULL, 0, &output, 1, results, 4, NULL, &error), SHISA_LIMIT,
                  "limit-exceeded");
        }
        shisa_runner_destroy(runner);
        shisa_program_destroy(program);
    }
}

/*
 * A program without an end: the words past it are zero, up to the end of the memory, and each is "add o0, v0, v0". All
 * float models run them.
 *
 *     mov o1, c0
 */
static void without_an_end(shisa_floats floats) {
    const uint32_t code = 0x4c220000, descriptor = 0x0006c36f;
    const float row[4] = {1, 2, 3, 4}, given[4] = {0.5f, -1, 8, 0};
    float results[8];
    shisa_options options = {0, 0, 0, 0};
    shisa_input input = {{0, 0, 0}, given, 4, 0, 4, 1};
    shisa_output outputs[2] = {{{0, 0, 0}, 0, 8, 1}, {{0, 0, 0}, 4, 8, 1}};
    shisa_program *program;
    shisa_runner *runner;
    int i;

    options.floats = floats;
    MUST(shisa_program_from_pica200(&code, 1, &descriptor, 1, 0, &options, &program, &error));
    MUST(shisa_runner_create(program, &runner, &error));
    MUST(shisa_runner_set_floats(runner, reg(program, "c0"), row, 4, &error));
    input.reg = reg(program, "v0");
    outputs[0].reg = reg(program, "o0");
    outputs[1].reg = reg(program, "o1");
    MUST(shisa_runner_run(runner, 1, &input, 1, outputs, 2, results, 8, NULL, &error));
    for (i = 0; i < 4; i++) {
        HOLDS(results[i] == 2 * given[i]);
        HOLDS(results[4 + i] == row[i]);
    }
    shisa_runner_destroy(runner);
    shisa_program_destroy(program);
}

/* A cache with room for two programs, which differ in the word that runs first. */
static void cache(void) {
    const uint32_t code[3] = {0x88000000, 0x88000000, 0x88000000};
    shisa_cache *cache = NULL;
    const shisa_program *program, *same;
    shisa_runner *runner, *other;
    shisa_options options = {9, 0, 0, 0};
    FAILS(shisa_cache_create(2, &options, &cache, &error), SHISA_ARGUMENT, "c-argument");
    HOLDS(cache == NULL);
    MUST(shisa_cache_create(2, NULL, &cache, &error));
    MUST(shisa_cache_pica200(cache, code, 3, NULL, 0, 0, &program, &runner, &error));
    HOLDS(shisa_program_engine(program) != SHISA_BEST);
    MUST(shisa_cache_pica200(cache, code, 3, NULL, 0, 1, NULL, &other, &error));
    HOLDS(other != runner);
    MUST(shisa_cache_pica200(cache, code, 3, NULL, 0, 0, &same, &other, &error));
    HOLDS(other == runner && same == program);
    MUST(shisa_runner_run(runner, 1, NULL, 0, NULL, 0, NULL, 0, NULL, &error));
    /* The one with entry 1 goes. */
    MUST(shisa_cache_pica200(cache, code, 3, NULL, 0, 2, NULL, &other, &error));
    MUST(shisa_cache_pica200(cache, code, 3, NULL, 0, 0, NULL, &other, &error));
    HOLDS(other == runner);
    FAILS(shisa_cache_pica200(cache, code, 3, NULL, 0, 0, NULL, NULL, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_cache_pica200(NULL, code, 3, NULL, 0, 0, NULL, &other, &error), SHISA_ARGUMENT, "c-argument");
    shisa_cache_destroy(cache);
    MUST(shisa_cache_create(0, NULL, &cache, &error));
    shisa_cache_destroy(cache);
    shisa_cache_destroy(NULL);
}

/*
 * Emits as many vertices as the iteration register says, of which the outputs alternate between two banks.
 *
 *     setemit 1
 *     for i0
 *         add r0, v0, r0
 *         mov o0, r0
 *         emit
 *     .end
 *     setemit 2, prim inv
 *     emit
 *     end
 */
static const uint32_t emitting[8] = {0xad000000, 0xa4001000, 0x02000800, 0x4c010000,
                                     0xa8000000, 0xaec00000, 0xa8000000, 0x88000000};

static void geometry(shisa_engine engine) {
    const uint32_t descriptor = 0x0006c36f, iterations[4] = {2, 0, 1, 0};
    float points[LANES * 4];
    shisa_options options = {0, 0, 0, 0};
    shisa_input input = {{0, 0, 0}, points, LANES * 4, 0, 4, 1};
    shisa_program *program;
    shisa_runner *runner;
    shisa_vertex *vertices = calloc(LANES * 4, sizeof *vertices);
    size_t count = 99;
    uint32_t i, c;

    for (i = 0; i < LANES * 4; i++) points[i] = (float)i;
    options.engine = engine;
    MUST(shisa_program_from_pica200(emitting, 8, &descriptor, 1, 0, &options, &program, &error));
    HOLDS((shisa_program_engine(program) == engine) == (shisa_program_refused(program)[0] == 0));
    MUST(shisa_runner_create(program, &runner, &error));
    MUST(shisa_runner_set_integers(runner, reg(program, "i0"), iterations, 4, &error));
    input.reg = reg(program, "v0");
    MUST(shisa_runner_emit(runner, LANES, &input, 1, vertices, LANES * 4, &count, &error));
    HOLDS(count == LANES * 4);
    for (i = 0; i < LANES * 4; i++) {
        const shisa_vertex *v = &vertices[i];
        /* The last one has the bank of the second. */
        const float times = i % 4 == 3 ? 2 : (float)(i % 4 + 1);
        HOLDS(v->lane == i / 4 && v->number == i % 4);
        HOLDS(v->slot == (i % 4 == 3 ? 2 : 1) && v->primitive == (i % 4 == 3) && v->flip == v->primitive);
        for (c = 0; c < 4; c++) HOLDS(v->outputs[0][c] == times * points[i / 4 * 4 + c] && v->outputs[15][c] == 0);
    }
    /* Too small an array gets some of them. */
    memset(vertices, 0xff, LANES * 4 * sizeof *vertices);
    MUST(shisa_runner_emit(runner, LANES, &input, 1, vertices, 5, &count, &error));
    HOLDS(count == LANES * 4 && vertices[4].number < 4 && vertices[5].number == 0xffffffff);
    MUST(shisa_runner_emit(runner, LANES, &input, 1, NULL, 0, &count, &error));
    HOLDS(count == LANES * 4);
    FAILS(shisa_runner_emit(runner, LANES, &input, 1, NULL, 1, &count, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_runner_emit(runner, LANES, &input, 1, vertices, 1, NULL, &error), SHISA_ARGUMENT, "c-argument");
    FAILS(shisa_runner_emit(NULL, LANES, &input, 1, vertices, 1, &count, &error), SHISA_ARGUMENT, "c-argument");
    input.values = vertices;
    FAILS(shisa_runner_emit(runner, LANES, &input, 1, vertices, 1, &count, &error), SHISA_ARGUMENT, "c-argument");
    input.values = points;
    FAILS(shisa_runner_run(runner, LANES, &input, 1, NULL, 0, NULL, 0, NULL, &error), SHISA_PROGRAM,
          "eval-no-environment");
    shisa_runner_destroy(runner);
    shisa_program_destroy(program);
    free(vertices);
}

int main(void) {
    shisa_engine engine;
    HOLDS(strlen(shisa_version()) >= 5);
    for (engine = SHISA_EVALUATOR; engine <= SHISA_MACHINE_CODE; engine++) {
        run_agal(engine);
        limits(engine);
        geometry(engine);
    }
    pica200(SHISA_EXACT);
    pica200(SHISA_F32);
    pica200(SHISA_FAST);
    without_an_end(SHISA_EXACT);
    without_an_end(SHISA_F32);
    without_an_end(SHISA_FAST);
    rounding();
    refusals();
    cache();
    return 0;
}

/*
 * shisa: shader programs on the CPU, for C and C++.
 *
 * A program is compiled once, for the engine that the caller wants or for the next one that takes it, and runs over many
 * lanes (vertices or pixels) at a time. All engines have the same results, bit for bit,
 * except with SHISA_FAST.
 *
 *     shisa_program *program;
 *     shisa_program_from_pica200(code, 512, descriptors, 128, entry, &options, &program, &error);
 *     shisa_runner *runner;
 *     shisa_runner_create(program, &runner, &error);
 *     shisa_runner_set_floats(runner, constants, values, 4 * 96, &error);
 *     shisa_runner_run(runner, vertices, inputs, 2, outputs, 3, stored, length, NULL, &error);
 *
 * Threads: a program never changes and may be used by any number of threads at a time. A runner may move between threads,
 * but only one thread may use it at a time: make one for each thread. The caller sees to it that a handle is destroyed once,
 * and not used afterwards. A runner stays valid when its program is destroyed.
 *
 * Memory: the library allocates when it makes a program or a runner, and at the first run with the same registers, offsets
 * and strides; later runs allocate nothing. With the evaluator every run allocates.
 *
 * Errors: functions that can fail return a status and, if `error` is not NULL, describe it there. They leave other
 * arguments alone, except that a run may have written some of its results. Null pointers, sizes that no memory can have
 * and misaligned arrays are refused.
 */
#ifndef SHISA_H
#define SHISA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns. */
typedef int32_t shisa_status;
#define SHISA_OK 0
/* An argument is wrong: a null pointer, a size, a register, an array that is too short. */
#define SHISA_ARGUMENT 1
/* The program is refused: its bytes are damaged, or no engine runs it. */
#define SHISA_PROGRAM 2
/* A limit is exceeded, such as the number of instructions of a run. */
#define SHISA_LIMIT 3
/* A fault of the library. Please report it. */
#define SHISA_INTERNAL 4

/* An engine. */
typedef uint32_t shisa_engine;
/* The fastest that takes the program. */
#define SHISA_BEST 0
/* The exact evaluator, which runs every program. */
#define SHISA_EVALUATOR 1
/* Many lanes at a time with the vector units of the processor. */
#define SHISA_BATCH 2
/* Machine code (x86-64 with AVX-512 or AVX2). */
#define SHISA_MACHINE_CODE 3

/* How floats are computed. */
typedef uint32_t shisa_floats;
/* As the hardware does: float24 for PICA200, binary32 for others. */
#define SHISA_EXACT 0
/* In binary32, as emulators do. */
#define SHISA_F32 1
/*
 * As SHISA_F32, but faster, with small errors: a sum of products is rounded once for each product, and powers, logarithms,
 * sines and reciprocal square roots are off by a few ulp. Zero times infinity is still zero. The
 * evaluator stays exact.
 */
#define SHISA_FAST 2

/* The most inputs, and the most outputs, that a run takes. */
#define SHISA_MOST_REGISTERS 32

/* Describes an error. Both texts end with a zero byte; a message that is too long is cut. */
typedef struct shisa_error {
    shisa_status status;
    /* The stable code of the diagnostic, such as "exec-attribute"; `shisa explain CODE` documents it. */
    char code[48];
    /* The messages of all findings, a line each. */
    char message[460];
} shisa_error;

/* Choices for a program. All zeros are the defaults. */
typedef struct shisa_options {
    /* The engine that is wanted. An engine that does not take the program falls back to the one before it. */
    shisa_engine engine;
    shisa_floats floats;
    /* The most instructions that all lanes of a run may execute; 0 is the default of the library, 1,000,000,000. */
    uint64_t run_steps;
    /* The most instructions that one lane may execute; 0 is the default of the library, 16,777,216. */
    uint64_t lane_steps;
} shisa_options;

/* A register of a program: its file there, its first 32-bit unit, and its number of units. */
typedef struct shisa_register {
    uint16_t file;
    uint16_t first;
    uint16_t units;
} shisa_register;

/*
 * An input register and its values: unit u of lane n is element offset + n * stride + u * step of the array. Interleaved
 * attributes have a step of 1, separate arrays a stride of 1, and a stride of 0 is one value for all lanes. Sizes count
 * 32-bit elements. Arrays begin at multiples of four bytes.
 */
typedef struct shisa_input {
    shisa_register reg;
    const void *values;
    size_t length;
    size_t offset;
    size_t stride;
    size_t step;
} shisa_input;

/* An output register, and where its values go in the array of results, as in shisa_input. */
typedef struct shisa_output {
    shisa_register reg;
    size_t offset;
    size_t stride;
    size_t step;
} shisa_output;

/* A vertex that a lane of a geometry program of PICA200 emitted. */
typedef struct shisa_vertex {
    /* The lane. */
    uint32_t lane;
    /* How many vertices the lane emitted before. */
    uint32_t number;
    /* The vertex slot. */
    uint8_t slot;
    /* 1 if the vertex completes a triangle, of the vertices in slots 0, 1 and 2; else 0. */
    uint8_t primitive;
    /* 1 if the winding of that triangle is flipped; else 0. */
    uint8_t flip;
    uint8_t unused;
    /* The output registers. */
    float outputs[16][4];
} shisa_vertex;

/* A compiled program. */
typedef struct shisa_program shisa_program;
/* The uniforms and the memory of runs of a program. */
typedef struct shisa_runner shisa_runner;
/* Compiled programs by their code, each with a runner. */
typedef struct shisa_cache shisa_cache;

/* The programs of a cache, unless the caller states another number. */
#define SHISA_CACHE_CAPACITY 256

/* The version of the library, such as "0.1.0". */
const char *shisa_version(void);

/*
 * Makes a program from a file: a shader binary of PICA200 or a file that contains one, AGAL tokens or a SWF, code of Maxwell
 * or AGX, or a source text. `which` is the number of the program in the file, from 1, or its name; NULL is the first.
 * Uniforms that the file states are set in every runner. `options` may be NULL.
 */
shisa_status shisa_program_open(const void *bytes, size_t length, const char *which, const shisa_options *options,
                                shisa_program **program, shisa_error *error);

/*
 * Makes a program from the state of an emulator: the code words and operand descriptors of a vertex or geometry program of
 * PICA200, and the word that runs first. Both arrays may be larger than the program, as the memory of the shader unit is. `options` may
 * be NULL.
 */
shisa_status shisa_program_from_pica200(const uint32_t *code, size_t words, const uint32_t *descriptors, size_t count,
                                        uint32_t entry, const shisa_options *options, shisa_program **program,
                                        shisa_error *error);

/* Destroys a program; NULL is ignored. */
void shisa_program_destroy(shisa_program *program);

/* The engine that runs the program; SHISA_BEST for NULL. */
shisa_engine shisa_program_engine(const shisa_program *program);

/*
 * Why faster engines, up to the one that was wanted, do not run the program: a line each with code and message; "" if the
 * wanted engine runs it. The text lives as long as the program.
 */
const char *shisa_program_refused(const shisa_program *program);

/* Number of bytes of machine code; 0 without. */
size_t shisa_program_code_size(const shisa_program *program);

/*
 * Finds an input, uniform or output by its name in listings: "v0", "c95", "i0", "b3" and "o0" of PICA200, "va0", "vc0" and
 * "op" of AGAL. A float register has four units, one of integers of PICA200 has four (iterations, start, step, unused), a
 * boolean one.
 */
shisa_status shisa_program_register(const shisa_program *program, const char *name, shisa_register *reg,
                                    shisa_error *error);

/*
 * Rounds numbers to those that inputs and float uniforms can have: float24 for PICA200 with SHISA_EXACT, otherwise they stay
 * as they are. Inputs of a run must be such numbers.
 */
shisa_status shisa_program_round(const shisa_program *program, float *values, size_t count, shisa_error *error);

/* Makes a runner. All uniforms are zero, except those that the file of the program states. */
shisa_status shisa_runner_create(const shisa_program *program, shisa_runner **runner, shisa_error *error);

/* Destroys a runner; NULL is ignored. */
void shisa_runner_destroy(shisa_runner *runner);

/* Sets floats of uniforms from a register on, four for each register; they are rounded as shisa_program_round does. */
shisa_status shisa_runner_set_floats(shisa_runner *runner, shisa_register reg, const float *values, size_t count,
                                     shisa_error *error);

/* Sets integers of uniforms from a register on, four for each register. */
shisa_status shisa_runner_set_integers(shisa_runner *runner, shisa_register reg, const uint32_t *values, size_t count,
                                       shisa_error *error);

/* Sets booleans of uniforms from a register on; any value but zero is true. */
shisa_status shisa_runner_set_booleans(shisa_runner *runner, shisa_register reg, const uint8_t *values, size_t count,
                                       shisa_error *error);

/*
 * Runs lanes 0 to `lanes`. Inputs that are not given are zero. Results go to one array of `length` 32-bit elements, which
 * must not overlap other arguments; separate arrays are parts of it. Outputs that the program never writes are zero, and
 * elements between those of outputs keep their values: the array must have been written before, for example by calloc.
 * `killed` is NULL or has an element for each lane: 1 if the lane was killed, else 0.
 */
shisa_status shisa_runner_run(shisa_runner *runner, size_t lanes, const shisa_input *inputs, size_t input_count,
                              const shisa_output *outputs, size_t output_count, void *results, size_t length,
                              uint8_t *killed, shisa_error *error);

/*
 * Runs lanes 0 to `lanes` of a geometry program of PICA200, each with the inputs of one primitive. Its vertices go to an
 * array, lane by lane, and `count` receives their number. If that is larger than `capacity`, the array has only some of
 * them: the caller can run the lanes again with a larger array. The array must have been written before, for example by
 * calloc, and must not overlap other arguments. Each lane begins with registers, vertex slots and both banks of the
 * outputs that are zero.
 */
shisa_status shisa_runner_emit(shisa_runner *runner, size_t lanes, const shisa_input *inputs, size_t input_count,
                               shisa_vertex *vertices, size_t capacity, size_t *count, shisa_error *error);

/*
 * Makes a cache for at most `capacity` programs, or for SHISA_CACHE_CAPACITY if that is 0. One thread may use it at a time.
 * `options` are those of its programs, and may be NULL.
 */
shisa_status shisa_cache_create(size_t capacity, const shisa_options *options, shisa_cache **cache, shisa_error *error);

/* Destroys a cache with its programs and runners; NULL is ignored. */
void shisa_cache_destroy(shisa_cache *cache);

/*
 * Finds the program of these words, with its runner, or makes both as shisa_program_from_pica200 and shisa_runner_create do.
 * Words and descriptors are compared as a whole. Nothing is allocated for a program that is found, and its runner has the
 * uniforms of its last use. Without room, the program that was not used for the longest time is destroyed, with its runner.
 * Both belong to the cache: the caller must not destroy them, and must use them only until the cache is used again.
 * `program` may be NULL.
 */
shisa_status shisa_cache_pica200(shisa_cache *cache, const uint32_t *code, size_t words, const uint32_t *descriptors,
                                 size_t count, uint32_t entry, const shisa_program **program, shisa_runner **runner,
                                 shisa_error *error);

#ifdef __cplusplus
}
#endif

#endif

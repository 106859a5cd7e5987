/* The C surface of the schema core (src/schema/native, Rust).
 *
 * Every fallible function returns an ingle_schema_status. Other than INGLE_SCHEMA_OK it leaves
 * `out` unset and writes to `error` a JSON text {"message", "path"?, "keyword"?}: path is a JSON
 * pointer into the schema. Each ingle_schema_text is freed with ingle_schema_text_free, empty or
 * not. Panics do not cross: they become INGLE_SCHEMA_FAILED and print nothing. Stack overflow and
 * running out of memory do end the process, so callers bound the size and the nesting of schemas,
 * values and grammars first.
 *
 * Threads: a schema, a token table and a constraint may be used from many threads at once; a
 * matcher from one at a time. Null handles may be freed. A constraint keeps its token table alive,
 * a matcher its constraint's: they may be freed in any order.
 */
#ifndef INGLE_SCHEMA_NATIVE_H
#define INGLE_SCHEMA_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ingle_schema_status {
  INGLE_SCHEMA_OK = 0,
  INGLE_SCHEMA_SCHEMA_INVALID = 1,         /* not a JSON Schema */
  INGLE_SCHEMA_SCHEMA_UNSUPPORTED = 2,     /* a remote reference, an unknown draft */
  INGLE_SCHEMA_CONSTRAINT_INVALID = 3,     /* not a schema, expression or grammar; unsatisfiable */
  INGLE_SCHEMA_CONSTRAINT_UNSUPPORTED = 4, /* valid, not expressible */
  INGLE_SCHEMA_CONSTRAINT_TOO_COMPLEX = 5, /* a bound on work or memory was reached */
  INGLE_SCHEMA_TOKEN_TABLE_INVALID = 6,
  INGLE_SCHEMA_TOKEN_NOT_ALLOWED = 7,  /* the matcher is unchanged */
  INGLE_SCHEMA_DEAD_END = 8,           /* no token of the vocabulary continues the output */
  INGLE_SCHEMA_JSON_INVALID = 9,       /* the value is not JSON */
  INGLE_SCHEMA_FAILED = 10,            /* a bug, a panic included */
  INGLE_SCHEMA_SCHEMA_TOO_COMPLEX = 11 /* as 5 */
};

enum ingle_constraint_kind {
  INGLE_CONSTRAINT_JSON_SCHEMA = 0,
  INGLE_CONSTRAINT_REGEX = 1,
  INGLE_CONSTRAINT_LARK = 2
};

typedef struct ingle_schema ingle_schema;
typedef struct ingle_tokens ingle_tokens;
typedef struct ingle_constraint ingle_constraint;
typedef struct ingle_matcher ingle_matcher;

/* UTF-8, not terminated; owned by the library. */
typedef struct {
  char* data;
  size_t size;
} ingle_schema_text;

/* Compiles a JSON Schema. "format" only annotates; nothing is fetched. */
int32_t ingle_schema_compile(const char* text, size_t size, ingle_schema** out,
                             ingle_schema_text* error);

/* `faults` becomes a JSON array of {"instance_path", "schema_path", "keyword", "message"}, by
 * paths, of at most `max_faults`. */
int32_t ingle_schema_validate(const ingle_schema* schema, const char* text, size_t size,
                              size_t max_faults, ingle_schema_text* faults,
                              ingle_schema_text* error);

void ingle_schema_free(ingle_schema* schema);

/* Token t is bytes[offsets[t], offsets[t + 1]); `offsets` has count + 1 entries. End tokens and
 * tokens with a byte 0xFF, which no text has, count as empty. */
int32_t ingle_tokens_create(const char* bytes, const size_t* offsets, size_t count,
                            const uint32_t* ends, size_t end_count, ingle_tokens** out,
                            ingle_schema_text* error);

void ingle_tokens_free(ingle_tokens* tokens);

/* `kind` is an ingle_constraint_kind. */
int32_t ingle_constraint_compile(const ingle_tokens* tokens, int32_t kind, const char* text,
                                 size_t size, ingle_constraint** out, ingle_schema_text* error);

void ingle_constraint_free(ingle_constraint* constraint);

int32_t ingle_constraint_start(const ingle_constraint* constraint, ingle_matcher** out,
                               ingle_schema_text* error);

/* Writes all `word_count` words, which must be (count of tokens + 31) / 32. After an error other
 * than INGLE_SCHEMA_TOKEN_NOT_ALLOWED, of this or the next two, the matcher only fails. */
int32_t ingle_matcher_mask(ingle_matcher* matcher, uint32_t* words, size_t word_count,
                           ingle_schema_text* error);

int32_t ingle_matcher_accept(ingle_matcher* matcher, uint32_t token, ingle_schema_text* error);

/* Whether the output may end here; whether nothing but the end may follow. */
int32_t ingle_matcher_state(ingle_matcher* matcher, bool* is_accepting, bool* is_finished,
                            ingle_schema_text* error);

void ingle_matcher_free(ingle_matcher* matcher);

void ingle_schema_text_free(ingle_schema_text text);

/* Panics inside, and returns INGLE_SCHEMA_FAILED: shows that panics are caught in this build. */
int32_t ingle_schema_selftest_panic(ingle_schema_text* error);

#ifdef __cplusplus
}
#endif

#endif

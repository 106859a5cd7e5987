//! Constraints: JSON Schemas, regular expressions and Lark grammars as masks over a vocabulary.

use std::sync::{Arc, Mutex, PoisonError};

use llguidance::api::{GrammarWithLexer, ParserLimits, TopLevelGrammar};
use llguidance::toktrie::{ApproximateTokEnv, TokEnv, TokRxInfo, TokTrie};
use llguidance::{JsonCompileOptions, ParserFactory};
use serde_json::Value;

use crate::expressible::{self, refused};
use crate::faults;
use crate::guard::{catch, with_stack, Failure, Status};
use crate::schema;

/// llguidance recurses along references and properties, up to its own bound of 50,000 schemas;
/// half of this was enough for the worst that was found.
const COMPILE_STACK: usize = 512 << 20;
/// The trie numbers tokens with 24 bits.
const MAX_TOKENS: usize = 1 << 23;
const MAX_TOKEN_BYTES: usize = 1 << 16;
/// Marks special tokens in the trie, and is no part of UTF-8 text.
const MARKER: u8 = TokTrie::SPECIAL_TOKEN_MARKER;

const KIND_JSON_SCHEMA: i32 = 0;
const KIND_REGEX: i32 = 1;
const KIND_LARK: i32 = 2;

fn limits() -> ParserLimits {
    ParserLimits {
        max_lexer_states: 100_000, // 1-2 kB each
        verbose_errors: false,
        ..ParserLimits::default()
    }
}

struct Vocabulary {
    factory: ParserFactory,
    ends: Vec<u32>,
    /// Bit t is set for a token that has no text of its own and is no end.
    special: Vec<u32>,
    size: usize,
}

pub struct TokenTable(Arc<Vocabulary>);

impl TokenTable {
    pub fn create(mut words: Vec<Vec<u8>>, ends: &[u32]) -> Result<Self, Failure> {
        let invalid = |message: &str| Failure::new(Status::TokenTableInvalid, message);
        let size = words.len();
        if size == 0 || size > MAX_TOKENS {
            return Err(invalid("the number of tokens is not in 1 to 8388608"));
        }
        if ends.is_empty() {
            return Err(invalid("no end-of-generation token"));
        }
        if ends.iter().any(|&end| end as usize >= size) {
            return Err(invalid("an end-of-generation token is outside the vocabulary"));
        }
        if words.iter().any(|word| word.len() > MAX_TOKEN_BYTES) {
            return Err(invalid("a token has more than 65536 bytes"));
        }
        for &end in ends {
            words[end as usize].clear();
        }
        let mut special = vec![0u32; size.div_ceil(32)];
        for (token, word) in words.iter_mut().enumerate() {
            if word.contains(&MARKER) {
                word.clear();
            }
            if word.is_empty() && !ends.contains(&(token as u32)) {
                special[token / 32] |= 1 << (token % 32);
            }
        }
        let info = TokRxInfo::new(size as u32, ends[0]);
        let trie = TokTrie::from(&info, &words).with_eos_tokens(ends);
        let environment: TokEnv = Arc::new(ApproximateTokEnv::new(trie));
        let mut factory =
            ParserFactory::new_simple(&environment).map_err(|e| invalid(&e.to_string()))?;
        factory.quiet();
        *factory.limits_mut() = limits();
        Ok(TokenTable(Arc::new(Vocabulary { factory, ends: ends.to_vec(), special, size })))
    }
}

pub struct Constraint {
    vocabulary: Arc<Vocabulary>,
    /// At the start of the output; only ever cloned.
    prototype: Mutex<llguidance::Matcher>,
}

impl Constraint {
    pub fn compile(tokens: &TokenTable, kind: i32, text: &str) -> Result<Self, Failure> {
        let vocabulary = tokens.0.clone();
        with_stack(COMPILE_STACK, Status::ConstraintTooComplex, move || {
            let grammar = match kind {
                KIND_JSON_SCHEMA => json_schema_grammar(text)?,
                KIND_REGEX => regex_grammar(text)?,
                KIND_LARK => TopLevelGrammar::from_lark(text.to_string()),
                _ => return Err(Failure::new(Status::Failed, "unknown kind of constraint")),
            };
            let parser =
                vocabulary.factory.create_parser(grammar).map_err(|e| compile_failure(kind, &e))?;
            let mut matcher = llguidance::Matcher::new(Ok(parser));
            if let Some(warning) = matcher.grammar_warnings().first() {
                // A grammar that says "lenient" of itself.
                return Err(Failure::new(Status::ConstraintUnsupported, warning.as_str()));
            }
            // Notices a constraint that only the empty output satisfies.
            matcher.consume_tokens(&[]).map_err(|e| compile_failure(kind, &e))?;
            Ok(Constraint { vocabulary, prototype: Mutex::new(matcher) })
        })
    }

    /// Deep: matchers share no lexer, hence no lock and no fault.
    pub fn start(&self) -> Result<Matcher, Failure> {
        let prototype = self.prototype.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Matcher {
            vocabulary: self.vocabulary.clone(),
            inner: prototype.deep_clone(),
            has_ended: false,
            has_failed: false,
        })
    }
}

fn json_schema_grammar(text: &str) -> Result<TopLevelGrammar, Failure> {
    let invalid = |message: String| Failure::new(Status::ConstraintInvalid, message);
    let root = schema::parse(text).map_err(|e| invalid(format!("not JSON: {e}")))?;
    // llguidance takes much that is no schema.
    schema::build(&root).map_err(|failure| Failure {
        status: match failure.status {
            Status::SchemaInvalid => Status::ConstraintInvalid,
            Status::SchemaUnsupported => Status::ConstraintUnsupported,
            other => other,
        },
        ..failure
    })?;
    let mut root = match root {
        Value::Bool(true) => Value::Object(Default::default()),
        Value::Bool(false) => return Err(invalid("no value satisfies the schema".to_string())),
        other => expressible::check(other)?,
    };
    // Replaces what the schema itself may say in "x-guidance".
    JsonCompileOptions {
        item_separator: ", ".to_string(),
        key_separator: ": ".to_string(),
        whitespace_flexible: false,
        lenient: false,
        coerce_one_of: false,
        ..JsonCompileOptions::default()
    }
    .apply_to(&mut root);
    Ok(TopLevelGrammar::from_json_schema(root))
}

fn regex_grammar(text: &str) -> Result<TopLevelGrammar, Failure> {
    regex_syntax::parse(text).map_err(|e| {
        let message = match e {
            regex_syntax::Error::Parse(e) => {
                format!("{} at byte {}", e.kind(), e.span().start.offset)
            }
            regex_syntax::Error::Translate(e) => {
                format!("{} at byte {}", e.kind(), e.span().start.offset)
            }
            _ => "not a regular expression".to_string(),
        };
        Failure::new(Status::ConstraintInvalid, message)
    })?;
    if text.is_empty() {
        return Ok(TopLevelGrammar::from_lark("start: \"\"".to_string()));
    }
    Ok(TopLevelGrammar::from_grammar(GrammarWithLexer::from_regex(text)))
}

/// What llguidance says may quote the whole grammar.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    faults::shortened(line)
}

fn compile_failure(kind: i32, error: &anyhow::Error) -> Failure {
    let text = format!("{error:#}");
    let message = one_line(&text);
    let mentions = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
    if message.starts_with("panic:") {
        return Failure::new(Status::Failed, message);
    }
    if mentions(&["fuel", "too large", "too big", "too complex", "exceeded", "too many"]) {
        return Failure::new(Status::ConstraintTooComplex, message);
    }
    if mentions(&["Unsatisfiable schema"]) {
        return Failure::new(
            Status::ConstraintInvalid,
            format!("no value satisfies the schema: {message}"),
        );
    }
    match kind {
        KIND_JSON_SCHEMA => unsupported_keyword(&message),
        KIND_REGEX => Failure::new(Status::ConstraintUnsupported, message),
        _ if mentions(&["Unimplemented keys", "not supported", "Unknown format"]) => {
            Failure::new(Status::ConstraintUnsupported, message)
        }
        _ => Failure::new(Status::ConstraintInvalid, message),
    }
}

/// Finds the keyword in what llguidance says.
fn unsupported_keyword(message: &str) -> Failure {
    const SAYINGS: [(&str, &str); 8] = [
        ("Unknown format", "format"),
        ("oneOf", "oneOf"),
        ("min/maxProperties", "minProperties"),
        ("patternProperty", "patternProperties"),
        ("circular references", "$ref"),
        ("multipleOf", "multipleOf"),
        ("pattern", "pattern"),
        ("regex", "pattern"),
    ];
    let listed =
        message.strip_prefix("Unimplemented keys: [\"").and_then(|rest| rest.split('"').next());
    let keyword = listed.or_else(|| {
        SAYINGS.iter().find(|(saying, _)| message.contains(saying)).map(|(_, keyword)| *keyword)
    });
    match keyword {
        Some(keyword) => Failure {
            message: format!("\"{keyword}\" cannot be expressed: {message}"),
            path: None,
            ..refused(keyword, "", "")
        },
        None => Failure::new(Status::ConstraintUnsupported, message),
    }
}

pub struct Matcher {
    vocabulary: Arc<Vocabulary>,
    inner: llguidance::Matcher,
    /// An end token was accepted.
    has_ended: bool,
    has_failed: bool,
}

impl Matcher {
    pub fn mask(&mut self, words: &mut [u32]) -> Result<(), Failure> {
        self.run(|matcher| {
            if words.len() != matcher.vocabulary.special.len() {
                return Err(Failure::new(Status::Failed, "the mask has the wrong size"));
            }
            words.fill(0);
            let may_end = matcher.may_end()?;
            if !matcher.has_ended && !matcher.inner.is_stopped() {
                let mask = matcher.inner.compute_mask().map_err(|e| matcher_failure(&e))?;
                let allowed = mask.as_slice().iter().zip(&matcher.vocabulary.special);
                for (word, (allowed, special)) in words.iter_mut().zip(allowed) {
                    *word = allowed & !special;
                }
                let excess = words.len() * 32 - matcher.vocabulary.size;
                if let Some(last) = words.last_mut() {
                    *last &= u32::MAX >> excess;
                }
            }
            for &end in &matcher.vocabulary.ends {
                let (word, bit) = (end as usize / 32, 1 << (end % 32));
                words[word] = if may_end { words[word] | bit } else { words[word] & !bit };
            }
            if words.iter().all(|&word| word == 0) {
                return Err(dead_end());
            }
            Ok(())
        })
    }

    pub fn accept(&mut self, token: u32) -> Result<(), Failure> {
        self.run(|matcher| {
            let refused = || {
                Err(Failure::new(
                    Status::TokenNotAllowed,
                    format!("token {token} may not come here"),
                ))
            };
            let index = token as usize;
            if index >= matcher.vocabulary.size || matcher.has_ended {
                return refused();
            }
            if matcher.vocabulary.ends.contains(&token) {
                matcher.has_ended = matcher.may_end()?;
                return if matcher.has_ended { Ok(()) } else { refused() };
            }
            let is_special = matcher.vocabulary.special[index / 32] >> (index % 32) & 1 == 1;
            if is_special || matcher.inner.is_stopped() {
                return refused();
            }
            match matcher.inner.try_consume_tokens(&[token]) {
                Ok(1) => Ok(()),
                Ok(_) => refused(),
                Err(e) => Err(matcher_failure(&e)),
            }
        })
    }

    /// (may end here, nothing but the end may follow)
    pub fn state(&mut self) -> Result<(bool, bool), Failure> {
        self.run(|matcher| {
            let may_end = matcher.may_end()?;
            Ok((may_end, may_end && (matcher.has_ended || matcher.inner.is_stopped())))
        })
    }

    fn may_end(&mut self) -> Result<bool, Failure> {
        if self.has_ended {
            return Ok(true);
        }
        self.inner.is_accepting().map_err(|e| matcher_failure(&e))
    }

    /// After a failure, other than a refused token, nothing of the state can be relied on.
    fn run<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R, Failure>) -> Result<R, Failure> {
        if self.has_failed {
            return Err(Failure::new(Status::Failed, "the matcher has failed before"));
        }
        let result = catch(|| f(self));
        self.has_failed =
            result.as_ref().is_err_and(|failure| failure.status != Status::TokenNotAllowed);
        result
    }
}

/// llguidance keeps only the text of what stopped it.
fn matcher_failure(error: &anyhow::Error) -> Failure {
    let text = error.to_string();
    let text = text.strip_suffix("<non-verbose/>").unwrap_or(&text).trim_end();
    if text.starts_with("panic:") {
        return Failure::new(Status::Failed, one_line(text));
    }
    if text.starts_with("NoExtension") {
        return dead_end();
    }
    let is_bound = ["lexer error:", "parser error:", "Parser Error:", "LexerToo", "ParserToo"]
        .iter()
        .any(|start| text.starts_with(start));
    let status = if is_bound { Status::ConstraintTooComplex } else { Status::Failed };
    Failure::new(status, one_line(text))
}

fn dead_end() -> Failure {
    Failure::new(Status::DeadEnd, "no token of the vocabulary can continue the output")
}

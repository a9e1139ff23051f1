//! poolproof/1 on standard input and output, for Rust 1.63 or later and
//! serde_json. This is the file to take along.
//!
//!     struct Mine;
//!     impl Planner for Mine {
//!         fn hello(&self) -> Hello {
//!             Hello::new("my planner", "1.0", &["arena"])
//!         }
//!         fn arena(&self, cap: u64, items: &[Item]) -> Said<Arena> {
//!             ...                    // or: Err(No::Reject("over_cap", None))
//!         }
//!     }
//!     fn main() { serve(&Mine).unwrap() }
//!
//! Which numbers travel as strings is settled here: planners see u64 alone.
//! oracle/PROTOCOL.md is the protocol. SPDX-License-Identifier: MIT
#![allow(dead_code)] // a planner need not use all of it

use serde_json::{json, Value};
use std::io::{self, BufRead, Write};

/// span: first and last step of its life, both in it; None: always live.
#[derive(Clone, Debug)]
pub struct Item {
    pub size: u64,
    pub align: u64,
    pub class: u64,
    pub span: Option<(u64, u64)>,
}

/// segment and offset: of each item. sizes: of each segment. A claimed segment
/// may be any number.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub segment: Vec<u64>,
    pub offset: Vec<u64>,
    pub sizes: Vec<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Arena {
    pub offset: Vec<u64>,
    pub total: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Segments,
    Arena,
}

#[derive(Clone, Debug)]
pub enum Violation {
    NoSuchSegment { item: usize },
    Misaligned { item: usize },
    PastEnd { item: usize },
    SegmentTooBig { segment: usize },
    SharedBytes { items: [usize; 2], bytes: [u64; 2] },
    WrongSize { segment: usize, claimed: u64, end: u64 },
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub enum No {
    /// What the rules refuse: "item_over_cap" and "bad_span", which name the
    /// first such item, and "over_cap", which names none.
    Reject(&'static str, Option<usize>),
    /// The request needs this capability, which the planner has not.
    Unsupported(String),
    /// Known to be wrong, not for now: the URL of an issue.
    Skip(String),
    /// Anything else.
    Error(String),
}

pub type Said<T> = Result<T, No>;

pub struct Hello {
    pub name: String,
    pub version: String,
    pub homepage: Option<String>,
    pub capabilities: Vec<String>,
    /// The most items of one request.
    pub items: Option<u64>,
    /// "exact", "valid" or "total".
    pub compare: String,
}

pub const FEATURES: [&str; 5] =
    ["classes", "always_live", "any_align", "zero_size", "u64"];

impl Hello {
    /// Claims these verbs and every feature.
    pub fn new(name: &str, version: &str, verbs: &[&str]) -> Hello {
        let words = verbs.iter().chain(&FEATURES);
        Hello {
            name: name.to_string(),
            version: version.to_string(),
            homepage: None,
            capabilities: words.map(|word| word.to_string()).collect(),
            items: None,
            compare: "exact".to_string(),
        }
    }
}

fn unsupported<T>(verb: &str) -> Said<T> {
    Err(No::Unsupported(verb.to_string()))
}

pub trait Planner {
    fn hello(&self) -> Hello;

    fn segments(&self, _cap: u64, _items: &[Item]) -> Said<Layout> {
        unsupported("segments")
    }

    fn arena(&self, _cap: u64, _items: &[Item]) -> Said<Arena> {
        unsupported("arena")
    }

    /// The first violation, or None.
    fn validate(
        &self,
        _kind: Kind,
        _cap: u64,
        _items: &[Item],
        _layout: &Layout,
    ) -> Said<Option<Violation>> {
        unsupported("validate")
    }
}

fn bad<T>(what: &str) -> Said<T> {
    Err(No::Error(format!("bad request: {}", what)))
}

fn number(value: &Value) -> Said<u64> {
    let read = match value {
        Value::String(digits) => digits.parse().ok(),
        _ => value.as_u64(),
    };
    read.map_or_else(|| bad("no number from 0 to 2^64 - 1"), Ok)
}

fn write(value: u64) -> Value {
    if value > 1 << 53 {
        json!(value.to_string())
    } else {
        json!(value)
    }
}

fn list<'a>(of: &'a Value, key: &str) -> Said<&'a Vec<Value>> {
    of[key].as_array().map_or_else(|| bad(key), Ok)
}

fn numbers(of: &Value, key: &str) -> Said<Vec<u64>> {
    list(of, key)?.iter().map(number).collect()
}

fn write_all(values: &[u64]) -> Value {
    values.iter().map(|value| write(*value)).collect()
}

fn item(json: &Value) -> Said<Item> {
    let class = match &json["class"] {
        Value::Null => 0,
        class => number(class)?,
    };
    let span = match &json["span"] {
        Value::Null => None,
        span => Some((number(&span[0])?, number(&span[1])?)),
    };
    let (size, align) = (number(&json["size"])?, number(&json["align"])?);
    Ok(Item { size, align, class, span })
}

fn violation(found: &Violation) -> Value {
    match found {
        Violation::NoSuchSegment { item } => {
            json!({"kind": "no_such_segment", "item": item})
        }
        Violation::Misaligned { item } => {
            json!({"kind": "misaligned", "item": item})
        }
        Violation::PastEnd { item } => {
            json!({"kind": "past_end", "item": item})
        }
        Violation::SegmentTooBig { segment } => {
            json!({"kind": "segment_too_big", "segment": segment})
        }
        Violation::SharedBytes { items, bytes } => {
            json!({"kind": "shared_bytes", "items": items,
                   "bytes": write_all(bytes)})
        }
        Violation::WrongSize { segment, claimed, end } => {
            json!({"kind": "wrong_size", "segment": segment,
                   "claimed": write(*claimed), "end": write(*end)})
        }
    }
}

fn hello(about: &Hello, request: &Value) -> Said<Value> {
    let versions = &request["protocol"];
    if number(&versions["min"])? > 1 || number(&versions["max"])? < 1 {
        return Err(No::Error("only poolproof/1 is spoken here".to_string()));
    }
    let mut result = json!({
        "protocol": 1,
        "name": about.name,
        "version": about.version,
        "capabilities": about.capabilities,
        "compare": about.compare,
    });
    if let Some(homepage) = &about.homepage {
        result["homepage"] = json!(homepage);
    }
    if let Some(items) = about.items {
        result["limits"] = json!({ "items": items });
    }
    Ok(result)
}

fn plan(planner: &dyn Planner, verb: &str, request: &Value) -> Said<Value> {
    let cap = number(&request["cap"])?;
    let items: Vec<Item> =
        list(request, "items")?.iter().map(item).collect::<Said<_>>()?;
    if verb == "segments" {
        let made = planner.segments(cap, &items)?;
        return Ok(json!({
            "segment": write_all(&made.segment),
            "offset": write_all(&made.offset),
            "sizes": write_all(&made.sizes),
        }));
    }
    if verb == "arena" {
        let made = planner.arena(cap, &items)?;
        return Ok(json!({
            "offset": write_all(&made.offset),
            "total": write(made.total),
        }));
    }
    let claim = &request["layout"];
    let layout = Layout {
        segment: numbers(claim, "segment")?,
        offset: numbers(claim, "offset")?,
        sizes: numbers(claim, "sizes")?,
    };
    let kind = match request["kind"].as_str() {
        Some("segments") => Kind::Segments,
        Some("arena") => Kind::Arena,
        _ => return bad("kind"),
    };
    Ok(match planner.validate(kind, cap, &items, &layout)? {
        None => json!({"valid": true}),
        Some(found) => {
            json!({"valid": false, "violation": violation(&found)})
        }
    })
}

fn answer(planner: &dyn Planner, verb: &str, request: &Value) -> Said<Value> {
    match verb {
        "hello" => hello(&planner.hello(), request),
        "bye" => Ok(json!({})),
        "segments" | "arena" | "validate" => plan(planner, verb, request),
        _ => unsupported(verb),
    }
}

fn line(id: &Value, said: Said<Value>) -> Value {
    match said {
        Ok(result) => json!({"id": id, "result": result}),
        Err(No::Reject(reason, None)) => json!({"id": id, "reject": reason}),
        Err(No::Reject(reason, Some(index))) => {
            json!({"id": id, "reject": reason, "index": index})
        }
        Err(No::Unsupported(what)) => json!({"id": id, "unsupported": what}),
        Err(No::Skip(url)) => json!({"id": id, "skip": url}),
        Err(No::Error(text)) => json!({"id": id, "error": text}),
    }
}

/// Answers until bye, or the end of the input.
pub fn serve(planner: &dyn Planner) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for text in io::stdin().lock().lines() {
        // One bad request is not the end.
        let request: Value = match serde_json::from_str(&text?) {
            Ok(request) => request,
            Err(wrong) => {
                let said = Err(No::Error(wrong.to_string()));
                writeln!(out, "{}", line(&json!(0), said))?;
                out.flush()?;
                continue;
            }
        };
        let verb = request["verb"].as_str().unwrap_or("");
        let said = answer(planner, verb, &request);
        let id = match &request["id"] {
            Value::Null => json!(0),
            id => id.clone(),
        };
        writeln!(out, "{}", line(&id, said))?;
        out.flush()?;
        if verb == "bye" {
            break;
        }
    }
    Ok(())
}

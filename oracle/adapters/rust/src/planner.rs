//! A planner and checker that follow the rules (SEG, ARN, VAL of
//! ref/README.md) as they are written: put yours in its place. Sums are u128,
//! which no sum of two u64 leaves. SPDX-License-Identifier: MIT

use crate::poolproof_stdio::{
    Arena, Hello, Item, Kind, Layout, No, Planner, Said, Violation,
};

pub struct Plain;

/// SEG-1: the least multiple of align that is not below at.
fn aligned_up(at: u128, align: u64) -> u128 {
    let align = u128::from(align.max(1));
    (at + align - 1) / align * align
}

fn end(at: u64, size: u64) -> u128 {
    u128::from(at) + u128::from(size)
}

/// What is known to be within a cap.
fn narrow(value: u128) -> u64 {
    u64::try_from(value).expect("more than 2^64 - 1 bytes")
}

/// ARN-1.
fn conflict(a: &Item, b: &Item) -> bool {
    match (a.span, b.span) {
        (Some((lo, hi)), Some((other_lo, other_hi))) => {
            a.class != b.class || (lo <= other_hi && other_lo <= hi)
        }
        _ => true,
    }
}

fn refuse_bad_spans(items: &[Item]) -> Said<()> {
    let is_bad = |item: &Item| matches!(item.span, Some((lo, hi)) if lo > hi);
    match items.iter().position(is_bad) {
        None => Ok(()),
        bad => Err(No::Reject("bad_span", bad)),
    }
}

/// What stands in the arena: start, end, which item.
type Taken = (u64, u64, usize);

/// ARN-3. placed: by start.
fn least_offset(items: &[Item], i: usize, placed: &[Taken]) -> u128 {
    let item = &items[i];
    let mut at = 0;
    for (start, last, j) in placed {
        if !conflict(item, &items[*j]) {
            continue;
        }
        if at + u128::from(item.size) <= u128::from(*start) {
            break; // all that follow start no earlier
        }
        if u128::from(*last) > at {
            at = aligned_up(u128::from(*last), item.align);
        }
    }
    at
}

/// VAL-1: what comes before the shared bytes, in its order.
fn look_alone(cap: u64, items: &[Item], layout: &Layout) -> Option<Violation> {
    let Layout { segment, offset, sizes } = layout;
    let all = || 0..items.len();
    let count = sizes.len() as u64;
    if let Some(item) = all().find(|&i| segment[i] >= count) {
        return Some(Violation::NoSuchSegment { item });
    }
    let off = |&i: &usize| offset[i] % items[i].align.max(1) != 0;
    if let Some(item) = all().find(off) {
        return Some(Violation::Misaligned { item });
    }
    let past = |&i: &usize| {
        let size = sizes[segment[i] as usize];
        end(offset[i], items[i].size) > u128::from(size)
    };
    if let Some(item) = all().find(past) {
        return Some(Violation::PastEnd { item });
    }
    let segment = sizes.iter().position(|&size| size > cap)?;
    Some(Violation::SegmentTooBig { segment })
}

impl Planner for Plain {
    fn hello(&self) -> Hello {
        let verbs = ["segments", "arena", "validate"];
        Hello::new("poolproof's Rust example", "1", &verbs)
    }

    /// SEG
    fn segments(&self, cap: u64, items: &[Item]) -> Said<Layout> {
        let large = items.iter().position(|item| item.size > cap);
        if large.is_some() {
            return Err(No::Reject("item_over_cap", large));
        }
        let mut made = Layout::default();
        for item in items {
            let mut at = match made.sizes.last() {
                Some(&size) => aligned_up(u128::from(size), item.align),
                None => u128::MAX / 2, // past any cap: opens the first one
            };
            if at + u128::from(item.size) > u128::from(cap) {
                made.sizes.push(0);
                at = 0;
            }
            let last = made.sizes.len() - 1;
            made.segment.push(last as u64);
            made.offset.push(narrow(at));
            made.sizes[last] = narrow(at + u128::from(item.size));
        }
        Ok(made)
    }

    /// ARN
    fn arena(&self, cap: u64, items: &[Item]) -> Said<Arena> {
        refuse_bad_spans(items)?;
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(items[i].size)); // stable
        let mut offset = vec![0; items.len()];
        let mut total = 0;
        let mut placed: Vec<Taken> = Vec::new();
        for i in order {
            let at = least_offset(items, i, &placed);
            let last = at + u128::from(items[i].size);
            if last > u128::from(cap) {
                return Err(No::Reject("over_cap", None)); // ARN-4
            }
            let here = (narrow(at), narrow(last), i);
            offset[i] = here.0;
            total = total.max(here.1);
            let next = placed.partition_point(|taken| taken.0 <= here.0);
            placed.insert(next, here);
        }
        Ok(Arena { offset, total })
    }

    /// VAL
    fn validate(
        &self,
        kind: Kind,
        cap: u64,
        items: &[Item],
        layout: &Layout,
    ) -> Said<Option<Violation>> {
        if kind == Kind::Arena {
            refuse_bad_spans(items)?;
        }
        let alone = look_alone(cap, items, layout);
        if alone.is_some() {
            return Ok(alone);
        }
        let Layout { segment, offset, sizes } = layout;
        let last = |i: usize| narrow(end(offset[i], items[i].size));
        for j in 0..items.len() {
            for i in 0..j {
                let may_share =
                    kind == Kind::Arena && !conflict(&items[i], &items[j]);
                let lo = offset[i].max(offset[j]);
                let hi = last(i).min(last(j));
                if segment[i] == segment[j] && !may_share && lo < hi {
                    let (items, bytes) = ([i, j], [lo, hi]);
                    return Ok(Some(Violation::SharedBytes { items, bytes }));
                }
            }
        }
        let mut ends = vec![0; sizes.len()];
        for i in 0..items.len() {
            let least = &mut ends[segment[i] as usize];
            *least = last(i).max(*least);
        }
        let wrong = |&k: &usize| sizes[k] != ends[k];
        Ok((0..sizes.len()).find(wrong).map(|segment| {
            let (claimed, end) = (sizes[segment], ends[segment]);
            Violation::WrongSize { segment, claimed, end }
        }))
    }
}

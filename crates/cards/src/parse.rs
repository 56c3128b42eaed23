//! Text to tree.
//!
//! Lines are nested by indentation first and parsed one by one after, so a faulty line is one
//! problem and the rest of the file is still read: a file's problems come out together. Depth is
//! capped before anything recurses.

mod explain;
pub mod fault;
mod grammar;
mod label;
mod terms;

use std::collections::HashSet;

use chumsky::Parser as _;
use chumsky::input::Input as _;
use chumsky::span::{SimpleSpan, Span as _};

use self::explain::explain;
use self::fault::SyntaxFault;
use self::grammar::{Fact, FactLine, Grammar, Header, Line, Top};
use self::label::words_of;
use self::terms::P;
use crate::lex::{self, Lexed, Tok};
use crate::report::{Errors, Problem, too_many};
use crate::tree::*;

/// Deepest indentation that is parsed; the checker is stricter.
const MAX_DEPTH: usize = 16;

/// Reads a card file. The tree is as written; the checker decides whether it makes sense.
pub fn parse(file_name: &str, text: &str) -> Result<Set, Errors> {
    let Read { set, problems, .. } = read(text);
    set.ok_or_else(|| Errors::new(file_name, text, problems))
}

/// As much of a file as could be read.
pub(crate) struct Read {
    /// The set, if nothing is wrong.
    pub set: Option<Set>,
    /// The cards without a fault, if something is wrong elsewhere.
    pub sound: Vec<Card>,
    pub problems: Vec<Problem>,
}

pub(crate) fn read(text: &str) -> Read {
    let lexed = lex::lex(text);
    let mut reader = Reader {
        grammar: Grammar::new(),
        problems: lexed.problems.clone(),
        lexed: &lexed,
        names: HashSet::new(),
        misplaced: Vec::new(),
    };
    let nodes = reader.nest();
    let mut sound = Vec::new();
    let set = reader.set(&nodes, &mut sound);
    let problems = reader.problems;
    let set = set.filter(|_| problems.is_empty());
    match set {
        Some(set) => Read { set: Some(Set { cards: sound, ..set }), sound: Vec::new(), problems },
        None => Read { set: None, sound, problems },
    }
}

/// A line and the deeper lines below it.
struct Node {
    line: usize,
    block: Vec<Node>,
}

struct Reader<'t, 's> {
    lexed: &'t Lexed<'s>,
    grammar: Grammar<'t, 's>,
    problems: Vec<Problem>,
    /// Names bound anywhere in the card being read, which are not mistyped words.
    names: HashSet<&'s str>,
    /// Lines whose block is not known for sure.
    misplaced: Vec<usize>,
}

impl<'t, 's: 't> Reader<'t, 's> {
    fn problem(&mut self, span: Span, fault: SyntaxFault) {
        self.problems.push(Problem::new(span, fault));
    }

    fn full(&self) -> bool {
        too_many(&self.problems)
    }

    fn span(&self, node: &Node) -> Span {
        self.lexed.lines[node.line].span
    }

    fn tokens(&self, node: &Node) -> &'t [(Tok<'s>, SimpleSpan)] {
        &self.lexed.tokens[self.lexed.lines[node.line].tokens.clone()]
    }

    fn first_word(&self, node: &Node) -> Option<&'s str> {
        match self.tokens(node).first() {
            Some((Tok::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    fn nest(&mut self) -> Vec<Node> {
        let mut open: Vec<(usize, Vec<Node>)> = vec![(0, Vec::new())];
        let mut too_deep = false;
        for (index, line) in self.lexed.lines.iter().enumerate() {
            let node = Node { line: index, block: Vec::new() };
            let depth = open.len();
            let (indent, nodes) = &mut open[depth - 1];
            if line.indent > *indent && !nodes.is_empty() {
                if depth < MAX_DEPTH {
                    open.push((line.indent, vec![node]));
                } else if !too_deep {
                    too_deep = true;
                    self.misplaced.push(index);
                    self.problem(line.span, SyntaxFault::TooDeep);
                }
                continue;
            }
            while open.len() > 1 && open[open.len() - 1].0 > line.indent {
                close(&mut open);
            }
            let last = open.len() - 1;
            if open[last].0 != line.indent {
                self.misplaced.push(index);
                self.problem(line.span, SyntaxFault::Indentation);
            }
            open[last].1.push(node);
        }
        while open.len() > 1 {
            close(&mut open);
        }
        open.pop().map(|(_, nodes)| nodes).unwrap_or_default()
    }

    /// The `set` line; the cards that could be read go to `sound`.
    fn set(&mut self, nodes: &[Node], sound: &mut Vec<Card>) -> Option<Set> {
        let mut set: Option<Set> = None;
        let unread = nodes.is_empty() && !self.problems.is_empty();
        if !unread && nodes.first().and_then(|n| self.first_word(n)) != Some("set") {
            let span = nodes.first().map(|n| self.span(n)).unwrap_or_default();
            self.problem(span, SyntaxFault::NoSet);
        }
        for (index, node) in nodes.iter().enumerate() {
            if self.full() {
                break;
            }
            let end = nodes.get(index + 1).map_or(self.lexed.lines.len(), |next| next.line);
            self.names = self.bound_names(node.line..end);
            let before = self.problems.len();
            let whole = !self.misplaced.iter().any(|line| (node.line..end).contains(line))
                && !self.lexed.lines[node.line..end].iter().any(|line| line.broken);
            match self.line(|g| &g.top, node) {
                Some(Top::Set { code, title }) => {
                    if index > 0 {
                        self.problem(self.span(node), SyntaxFault::SecondSet);
                    }
                    self.no_block(node);
                    set.get_or_insert(Set { code, title, cards: Vec::new() });
                }
                Some(Top::Card { kind, name, copies }) => {
                    let span = self.span(node);
                    let (fields, rulings, abilities) = self.card(node);
                    if whole && self.problems.len() == before {
                        sound.push(Card { kind, name, copies, fields, rulings, abilities, span });
                    }
                }
                None if node.block.is_empty() => {}
                None => {
                    self.card(node);
                }
            }
        }
        set
    }

    fn bound_names(&self, lines: std::ops::Range<usize>) -> HashSet<&'s str> {
        let mut names = HashSet::new();
        for line in &self.lexed.lines[lines] {
            for pair in self.lexed.tokens[line.tokens.clone()].windows(2) {
                if let [(Tok::Word(word), _), (Tok::Equal, _)] = pair {
                    names.insert(*word);
                }
            }
        }
        names
    }

    fn card(&mut self, node: &Node) -> (Fields, Vec<String>, Vec<Ability>) {
        let mut fields = Fields::default();
        let mut rulings = Vec::new();
        let mut rest = node.block.as_slice();
        let begins = rest.first().and_then(|n| self.first_word(n));
        let is_header = begins.is_some_and(|w| words_of(label::HEADER).contains(&w));
        match rest {
            [first, others @ ..] if !is_header => {
                if let Some(facts) = self.line(|g| &g.facts, first) {
                    fields = self.fields(facts);
                }
                self.no_block(first);
                rest = others;
            }
            _ if self.lexed.lines[node.line].broken => {}
            _ => self.problem(self.span(node), SyntaxFault::NoFacts),
        }
        let abilities = self.abilities(rest, Some(&mut rulings));
        (fields, rulings, abilities)
    }

    /// Abilities, with the rulings before them where those may stand.
    fn abilities(&mut self, nodes: &[Node], mut rulings: Option<&mut Vec<String>>) -> Vec<Ability> {
        let mut abilities = Vec::new();
        for node in nodes {
            if self.full() {
                break;
            }
            let span = self.span(node);
            let Some(header) = self.line(|g| &g.header, node) else {
                self.block(&node.block);
                continue;
            };
            let kind = match header {
                Header::Ruling(text) => {
                    self.no_block(node);
                    match &mut rulings {
                        Some(rulings) if abilities.is_empty() => rulings.push(text),
                        _ => self.problem(span, SyntaxFault::LateRuling),
                    }
                    continue;
                }
                Header::Level(level) => {
                    if node.block.is_empty() {
                        let of = format!("level {level}");
                        self.problem(span, SyntaxFault::MissingBlock { of });
                    }
                    let within = self.abilities(&node.block, None);
                    if rulings.is_none() {
                        self.problem(span, SyntaxFault::StrayLevel);
                    }
                    abilities.extend(within.into_iter().map(|ability| Ability { level, ..ability }));
                    continue;
                }
                Header::Whole(kind) => {
                    self.no_block(node);
                    kind
                }
                Header::Activated { from_hand, phase, by, limit } => {
                    AbilityKind::Activated { from_hand, phase, by, limit, body: self.need_block(node) }
                }
                Header::Play => AbilityKind::Play { body: self.need_block(node) },
                Header::LevelUp => AbilityKind::LevelUp { body: self.need_block(node) },
                Header::Minion => AbilityKind::Minion { body: self.need_block(node) },
                Header::When(event, limit) => AbilityKind::When { event, limit, body: self.need_block(node) },
                Header::InsteadOf(event, limit) => {
                    AbilityKind::InsteadOf { event, limit, body: self.need_block(node) }
                }
            };
            abilities.push(Ability { kind, level: 0, span });
        }
        abilities
    }

    fn fields(&mut self, (number, facts): FactLine) -> Fields {
        let mut out = Fields { number, ..Fields::default() };
        let mut provenance = None;
        for (fact, span) in facts {
            let span = lex::span(span.start..span.end);
            let mut once = |fact, already: bool| {
                if already {
                    self.problem(span, SyntaxFault::RepeatedFact { fact });
                }
            };
            match fact {
                Fact::Xp(n) => once("xp", out.xp.replace(n).is_some()),
                Fact::Damage(d) => once("damage", out.damage.replace(d).is_some()),
                Fact::Health(n) => once("health", out.health.replace(n).is_some()),
                Fact::Players(p) => once("players", out.players.replace(p).is_some()),
                Fact::Subtype(s) => once(s.word(), out.subtype.replace(s).is_some()),
                Fact::Advanced => once("advanced", std::mem::replace(&mut out.advanced, true)),
                Fact::Dark => once("dark", std::mem::replace(&mut out.dark, true)),
                Fact::Portable => once("portable", std::mem::replace(&mut out.portable, true)),
                Fact::Class(class) => out.icons.push(class),
                Fact::Phase(phase) => {
                    once(phase.word(), out.phases.contains(&phase));
                    out.phases.push(phase);
                }
                Fact::Provenance(p) => once("published", provenance.replace(p).is_some()),
            }
        }
        out.provenance = provenance.unwrap_or_default();
        out
    }

    fn name_of(&self, node: &Node) -> String {
        let words = self.tokens(node).iter().map_while(|(tok, _)| match tok {
            Tok::Word(word) => Some(*word),
            _ => None,
        });
        words.take(1).collect()
    }

    fn no_block(&mut self, node: &Node) {
        if !node.block.is_empty() {
            let of = self.name_of(node);
            self.problem(self.span(node), SyntaxFault::StrayBlock { of });
            self.block(&node.block);
        }
    }

    fn need_block(&mut self, node: &Node) -> Vec<Stmt> {
        if node.block.is_empty() {
            let of = self.name_of(node);
            self.problem(self.span(node), SyntaxFault::MissingBlock { of });
        }
        self.block(&node.block)
    }

    fn block(&mut self, nodes: &[Node]) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut rest = nodes.iter().peekable();
        // A faulty `either` or `if` must not turn its `or` or `else` into a second problem.
        let mut after_fault = false;
        while let Some(node) = rest.next() {
            if self.full() {
                break;
            }
            let span = self.span(node);
            let Some(line) = self.line(|g| &g.line, node) else {
                self.block(&node.block);
                after_fault = true;
                continue;
            };
            let kind = match line {
                Line::Whole(kind) => {
                    self.no_block(node);
                    kind
                }
                Line::May(by) => StmtKind::May { by, body: self.need_block(node) },
                Line::Until(lifetime, once) => {
                    if node.block.is_empty() {
                        let of = format!("until end of {lifetime}");
                        self.problem(span, SyntaxFault::MissingBlock { of });
                    }
                    let abilities = self.abilities(&node.block, None);
                    StmtKind::Until { lifetime, once, what: Lasting::Abilities(abilities) }
                }
                Line::Repeat(times) => StmtKind::Repeat { times, body: self.need_block(node) },
                Line::Each(name, sel) => StmtKind::Each { name, sel, body: self.need_block(node) },
                Line::Either(by) => {
                    let mut options = vec![self.need_block(node)];
                    while let Some(or) = rest.next_if(|n| self.first_word(n) == Some("or")) {
                        self.line(|g| &g.line, or);
                        options.push(self.need_block(or));
                    }
                    StmtKind::Either { by, options }
                }
                Line::If(cond) => {
                    let then = self.need_block(node);
                    let mut otherwise = Vec::new();
                    if let Some(or) = rest.next_if(|n| self.first_word(n) == Some("else")) {
                        self.line(|g| &g.line, or);
                        otherwise = self.need_block(or);
                    }
                    StmtKind::If { cond, then, otherwise }
                }
                Line::Or | Line::Else => {
                    if !after_fault {
                        let stray = matches!(line, Line::Or);
                        let fault = if stray { SyntaxFault::StrayOr } else { SyntaxFault::StrayElse };
                        self.problem(span, fault);
                    }
                    self.block(&node.block);
                    continue;
                }
            };
            after_fault = false;
            out.push(Stmt { kind, span });
        }
        out
    }

    /// Parses one line by one rule of the grammar; `None`, with the fault noted, if it does not
    /// match.
    fn line<O>(
        &mut self,
        rule: impl for<'g> Fn(&'g Grammar<'t, 's>) -> &'g P<'t, 's, O>,
        node: &Node,
    ) -> Option<O> {
        if self.lexed.lines[node.line].broken {
            return None;
        }
        let tokens = self.tokens(node);
        let end = self.span(node).end as usize;
        let input = tokens.split_token_span(SimpleSpan::new((), end..end));
        match rule(&self.grammar).parse(input).into_result() {
            Ok(out) => Some(out),
            Err(misses) => {
                if let Some(miss) = misses.first() {
                    let problem = explain(&self.names, tokens, miss);
                    self.problems.push(problem);
                }
                None
            }
        }
    }
}

fn close(open: &mut Vec<(usize, Vec<Node>)>) {
    if let Some((_, block)) = open.pop()
        && let Some((_, nodes)) = open.last_mut()
        && let Some(owner) = nodes.last_mut()
    {
        owner.block = block;
    }
}

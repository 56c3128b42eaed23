//! Who thinks next. Pure bookkeeping: no threads and no clock, so its order can be tested.
//!
//! Invariants: of two addresses that have something waiting, the one that has used less time goes first, and within
//! an address the table that has used less; a new or idle one starts level with whoever was served last, so nobody
//! saves up time. A bot's move goes before a hint, unless its address has used `HEAD_START` more. What has begun
//! goes before what has not, within an address: so an address never has more begun than there are threads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use crate::store::TableNumber;
use crate::work::Requester;

/// A hint waits as if its address had used this much more.
const HEAD_START: Duration = Duration::from_secs(1);
/// Hints that may wait: from one address, and in total. Moves need no bound: a table has at most one.
const HINTS_PER_ADDRESS: usize = 8;
const HINTS: usize = 256;
/// How many idle addresses, or tables of one address, are remembered before all of them are forgotten.
const REMEMBERED: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A bot has to answer.
    Move,
    Hint,
}

/// Whose time a thought uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    pub by: Requester,
    pub table: TableNumber,
}

/// Too many hints are waiting already.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

pub struct Queue<J> {
    addresses: HashMap<Requester, Address<J>>,
    /// Addresses with something waiting, by kind; the one that has used least first.
    ready: [BTreeSet<(Duration, Requester)>; 2],
    places: HashMap<u64, Place>,
    /// What the address served last had used.
    clock: Duration,
    running: usize,
    hints: usize,
    sweep_at: usize,
}

struct Address<J> {
    used: Duration,
    waiting: [BTreeMap<Order, J>; 2],
    running: usize,
    tables: HashMap<TableNumber, Duration>,
    /// What the table served last had used.
    clock: Duration,
}

/// Begun first, then by what the table has used, then by number.
type Order = (bool, Duration, u64);

struct Place {
    kind: Kind,
    address: Requester,
    order: Order,
}

impl<J> Default for Queue<J> {
    fn default() -> Queue<J> {
        Queue {
            addresses: HashMap::new(),
            ready: Default::default(),
            places: HashMap::new(),
            clock: Duration::ZERO,
            running: 0,
            hints: 0,
            sweep_at: REMEMBERED,
        }
    }
}

impl<J> Queue<J> {
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Adds one that has not begun. Its number is the caller's, and larger than all before.
    pub fn push(&mut self, number: u64, kind: Kind, whose: Account, job: J) -> Result<(), Full> {
        if kind == Kind::Hint {
            let mine = self.addresses.get(&whose.by).map_or(0, |address| address.waiting[1].len());
            if self.hints >= HINTS || mine >= HINTS_PER_ADDRESS {
                return Err(Full);
            }
        }
        self.insert(number, kind, whose, job, true);
        Ok(())
    }

    /// Puts one back that has begun and gives way.
    pub fn put_back(&mut self, number: u64, kind: Kind, whose: Account, job: J) {
        self.insert(number, kind, whose, job, false);
        self.release(whose);
    }

    fn insert(&mut self, number: u64, kind: Kind, whose: Account, job: J, new: bool) {
        let address = self.addresses.entry(whose.by).or_insert_with(Address::new);
        if address.is_idle() {
            address.used = address.used.max(self.clock);
        }
        let order = (new, address.start(whose.table), number);
        let waiting = &mut address.waiting[kind as usize];
        if waiting.is_empty() {
            self.ready[kind as usize].insert((address.used, whose.by));
        }
        waiting.insert(order, job);
        self.hints += usize::from(kind == Kind::Hint);
        self.places.insert(number, Place { kind, address: whose.by, order });
        self.sweep();
    }

    /// Takes the next one, which now runs; without `new`, only one that has begun.
    pub fn pop(&mut self, new: bool) -> Option<J> {
        let first = |kind: Kind| {
            let mut ready = self.ready[kind as usize].iter();
            ready.find_map(|(used, address)| {
                let (order, _) = self.addresses[address].waiting[kind as usize].first_key_value()?;
                (new || !order.0).then_some((*used, order.2))
            })
        };
        let number = match (first(Kind::Move), first(Kind::Hint)) {
            (Some((bot, number)), Some((hint, _))) if bot <= hint + HEAD_START => number,
            (_, Some((_, number))) | (Some((_, number)), None) => number,
            (None, None) => return None,
        };
        let Place { address, order, .. } = *self.places.get(&number)?;
        let address = self.addresses.get_mut(&address)?;
        address.clock = address.clock.max(order.1);
        self.clock = self.clock.max(address.used);
        self.take(number)
    }

    /// Takes one out of turn, which now runs.
    pub fn take(&mut self, number: u64) -> Option<J> {
        let address = self.places.get(&number)?.address;
        self.addresses.get_mut(&address)?.running += 1;
        self.running += 1;
        self.remove(number)
    }

    /// Takes one out that is waiting.
    pub fn remove(&mut self, number: u64) -> Option<J> {
        let Place { kind, address: key, order } = self.places.remove(&number)?;
        self.hints -= usize::from(kind == Kind::Hint);
        let address = self.addresses.get_mut(&key)?;
        let waiting = &mut address.waiting[kind as usize];
        let job = waiting.remove(&order);
        if waiting.is_empty() {
            self.ready[kind as usize].remove(&(address.used, key));
        }
        job
    }

    /// Puts time that was used on the account.
    pub fn charge(&mut self, whose: Account, time: Duration) {
        let Some(address) = self.addresses.get_mut(&whose.by) else { return };
        for (ready, waiting) in self.ready.iter_mut().zip(&address.waiting) {
            if !waiting.is_empty() {
                ready.remove(&(address.used, whose.by));
                ready.insert((address.used + time, whose.by));
            }
        }
        address.used += time;
        *address.tables.entry(whose.table).or_default() += time;
    }

    /// One that was running has ended, or has given way. Where nothing is left to do, everyone is level again.
    pub fn release(&mut self, whose: Account) {
        let Some(address) = self.addresses.get_mut(&whose.by) else { return };
        address.running -= 1;
        self.running -= 1;
        if address.is_idle() {
            (address.clock, address.tables) = (Duration::ZERO, HashMap::new());
        }
        if self.running == 0 && self.places.is_empty() {
            self.clock = Duration::ZERO;
            self.addresses.clear();
        }
    }

    /// Keeps memory bounded.
    fn sweep(&mut self) {
        if self.addresses.len() >= self.sweep_at {
            self.addresses.retain(|_, address| !address.is_idle());
            self.sweep_at = REMEMBERED.max(2 * self.addresses.len());
        }
    }
}

impl<J> Address<J> {
    fn new() -> Address<J> {
        Address {
            used: Duration::ZERO,
            waiting: Default::default(),
            running: 0,
            tables: HashMap::new(),
            clock: Duration::ZERO,
        }
    }

    fn is_idle(&self) -> bool {
        self.running == 0 && self.waiting.iter().all(BTreeMap::is_empty)
    }

    /// What the table has used, and at least what the one served last had.
    fn start(&mut self, table: TableNumber) -> Duration {
        if self.tables.len() >= REMEMBERED {
            self.tables.clear();
        }
        let used = self.tables.entry(table).or_default();
        *used = self.clock.max(*used);
        *used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const MS: Duration = Duration::from_millis(1);

    /// A queue of names, and one thread that takes from it.
    #[derive(Default)]
    struct Desk {
        queue: Queue<(&'static str, Account)>,
        next: u64,
    }

    impl Desk {
        fn push(&mut self, kind: Kind, address: u8, table: i64, name: &'static str) -> Result<u64, Full> {
            self.push_for(kind, account(address, table), name)
        }

        fn push_for(&mut self, kind: Kind, whose: Account, name: &'static str) -> Result<u64, Full> {
            self.next += 1;
            self.queue.push(self.next, kind, whose, (name, whose)).map(|()| self.next)
        }

        /// Runs the next one for this long.
        fn serve(&mut self, time: Duration) -> &'static str {
            let (name, whose) = self.queue.pop(true).expect("something is waiting");
            self.queue.charge(whose, time);
            self.queue.release(whose);
            name
        }
    }

    fn account(address: u8, table: i64) -> Account {
        Account { by: Requester::Network([192, 0, 2, address].into()), table: TableNumber(table) }
    }

    #[test]
    fn an_address_with_many_tables_gets_no_more_than_one_with_a_single_table() {
        let mut desk = Desk::default();
        for table in 0..54 {
            desk.push(Kind::Move, 1, table, "many").unwrap();
        }
        desk.serve(20 * MS);
        let mut order = Vec::new();
        for _ in 0..10 {
            desk.push(Kind::Move, 2, 99, "single").unwrap();
            order.push(desk.serve(20 * MS));
            if order.last() == Some(&"many") {
                order.push(desk.serve(20 * MS));
            }
        }
        let single = order.iter().filter(|name| **name == "single").count();
        assert_eq!(single, 10, "it waits for one other at most: {order:?}");
    }

    #[test]
    fn a_quick_thought_does_not_wait_behind_long_ones_of_another_address() {
        let mut desk = Desk::default();
        for table in 0..54 {
            desk.push(Kind::Move, 1, table, "grand boss").unwrap();
        }
        for _ in 0..20 {
            desk.serve(SECOND);
            desk.push(Kind::Move, 2, 99, "minion").unwrap();
            assert_eq!(desk.serve(MS / 10), "minion");
        }
    }

    #[test]
    fn tables_of_one_address_take_turns() {
        let mut desk = Desk::default();
        desk.push(Kind::Move, 1, 1, "slow").unwrap();
        desk.push(Kind::Move, 1, 2, "quick").unwrap();
        let mut order = Vec::new();
        for _ in 0..12 {
            let name = desk.queue.pop(true).expect("something is waiting").0;
            let (table, time) = if name == "slow" { (1, 10 * MS) } else { (2, MS) };
            order.push(name);
            desk.queue.charge(account(1, table), time);
            desk.push(Kind::Move, 1, table, name).unwrap();
            desk.queue.release(account(1, table));
        }
        let slow = order.iter().filter(|name| **name == "slow").count();
        assert!((1..=2).contains(&slow), "the table that uses more waits longer: {order:?}");
    }

    #[test]
    fn bots_go_before_hints() {
        let mut desk = Desk::default();
        for address in 1..=8 {
            desk.push(Kind::Hint, address, 0, "hint").unwrap();
        }
        desk.push(Kind::Move, 8, 0, "its own bot").unwrap();
        desk.push(Kind::Move, 9, 9, "bot").unwrap();
        let mut first = [desk.serve(MS), desk.serve(MS)];
        first.sort();
        assert_eq!(first, ["bot", "its own bot"]);
        assert_eq!(desk.serve(MS), "hint");
        // A bot that comes later still goes before the hints that waited.
        desk.push(Kind::Move, 9, 9, "bot").unwrap();
        assert_eq!(desk.serve(MS), "bot");
    }

    #[test]
    fn an_address_whose_bots_have_used_far_more_does_not_keep_hints_from_others() {
        let mut desk = Desk::default();
        desk.push(Kind::Hint, 2, 99, "hint").unwrap();
        let mut bots = 0;
        loop {
            desk.push(Kind::Move, 1, bots, "bot").unwrap();
            if desk.serve(SECOND / 10) == "hint" {
                break;
            }
            bots += 1;
            assert!(bots < 20, "the hint starves");
        }
        assert!(bots >= 10, "bots go first for a while: {bots}");
    }

    #[test]
    fn nobody_saves_up_time() {
        let mut desk = Desk::default();
        for table in 0..200 {
            desk.push(Kind::Move, 1, table, "busy").unwrap();
        }
        for _ in 0..100 {
            desk.serve(SECOND);
        }
        for table in 0..100 {
            desk.push(Kind::Move, 2, table, "late").unwrap();
        }
        let late = (0..20).filter(|_| desk.serve(SECOND) == "late").count();
        assert!((9..=11).contains(&late), "half of the time is theirs: {late}");
    }

    #[test]
    fn hints_are_bounded_and_moves_are_not() {
        let mut desk = Desk::default();
        let accepted = |desk: &mut Desk, address| {
            (0..20).filter(|table| desk.push(Kind::Hint, address, *table, "hint").is_ok()).count()
        };
        assert_eq!(accepted(&mut desk, 1), HINTS_PER_ADDRESS);
        assert_eq!(accepted(&mut desk, 2), HINTS_PER_ADDRESS, "another address has room of its own");
        let more: usize = (3..=200).map(|address| accepted(&mut desk, address)).sum();
        assert_eq!(more + 2 * HINTS_PER_ADDRESS, HINTS);
        for table in 0..1_000 {
            desk.push(Kind::Move, 1, table, "bot").unwrap();
        }
        while desk.queue.len() > 0 {
            desk.serve(MS);
        }
        assert_eq!(accepted(&mut desk, 1), HINTS_PER_ADDRESS, "there is room again");
    }

    #[test]
    fn what_is_withdrawn_is_never_served() {
        let mut desk = Desk::default();
        let gone = desk.push(Kind::Move, 1, 1, "gone").unwrap();
        desk.push(Kind::Move, 1, 2, "stays").unwrap();
        assert!(desk.queue.remove(gone).is_some());
        assert!(desk.queue.remove(gone).is_none());
        assert_eq!(desk.serve(MS), "stays");
        assert!(desk.queue.pop(true).is_none());
        assert_eq!(desk.queue.len(), 0);
        assert!(desk.queue.ready.iter().all(BTreeSet::is_empty));
    }

    #[test]
    fn what_has_begun_goes_on_before_the_same_address_begins_more() {
        let mut desk = Desk::default();
        desk.push(Kind::Move, 1, 1, "begun").unwrap();
        let (name, whose) = desk.queue.pop(true).unwrap();
        desk.push(Kind::Move, 1, 2, "new").unwrap();
        desk.queue.charge(whose, SECOND);
        desk.queue.put_back(1, Kind::Move, whose, (name, whose));
        desk.push(Kind::Move, 2, 3, "another address").unwrap();
        assert_eq!(desk.queue.pop(false).map(|(name, _)| name), Some("begun"), "if nothing may begin");
        desk.queue.put_back(1, Kind::Move, whose, (name, whose));
        assert_eq!(desk.serve(MS), "another address");
        assert_eq!(desk.serve(MS), "begun");
        assert_eq!(desk.serve(MS), "new");
    }

    #[test]
    fn addresses_and_tables_are_forgotten() {
        let mut desk = Desk::default();
        desk.push(Kind::Move, 1, 0, "busy").unwrap();
        for n in 0..20_000u32 {
            // There is always something to do for address 1, from another table each time.
            desk.push(Kind::Move, 1, i64::from(n), "busy").unwrap();
            let whose = Account { by: Requester::Network(n.to_be_bytes().into()), table: TableNumber(0) };
            desk.push_for(Kind::Move, whose, "another").unwrap();
            desk.serve(MS);
            desk.serve(MS);
        }
        let busy = &desk.queue.addresses[&account(1, 0).by];
        assert!(busy.tables.len() <= REMEMBERED, "{} tables", busy.tables.len());
        assert!(desk.queue.addresses.len() <= REMEMBERED, "{} addresses", desk.queue.addresses.len());
        while desk.queue.len() > 0 {
            desk.serve(MS);
        }
        assert_eq!(desk.queue.addresses.len(), 0);
    }
}

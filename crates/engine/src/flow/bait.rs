//! The Bait phase: which hero goes to which dungeon (section 9).

use cards::vocabulary::{ByClass, Class, EventWord, Phase};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::code::occurrence::Occurrence;
use crate::code::query::Board;
use crate::flow::edition::BaitTies;
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    pub fn bait(&mut self) {
        let after = self.s.rules.edition().phases.after(Phase::Bait);
        let then = Frame::Step(after.map_or(Step::Check, Step::Phase));
        if !self.triggers_follow(Self::lure_heroes, &[then]) {
            self.next_phase();
        }
    }

    /// Hero by hero, oldest first; treasure is counted once for all.
    fn lure_heroes(&mut self) {
        if L::ON && self.s.pile_len(Place::TOWN) == 0 {
            self.tell(|_| What::PhaseIdles { phase: Phase::Bait });
        }
        let treasure = self.board().treasures();
        let mut ties = Ties::new(&self.board(), &treasure);
        let mut next = self.s.pile(Place::TOWN).next();
        // Places are those at the start of the phase (15.3).
        let mut place = 0;
        while let Some(hero) = next {
            next = Some(self.s.card(hero).next).filter(|id| id.exists());
            let board = self.board();
            let needed = board.s.rules.edition().treasure_needed(place);
            place += 1;
            let pulled = board.pulled_to(hero, &treasure).or_else(|| ties.as_mut()?.share(&board, hero));
            let pulled = pulled.filter(|seat| board.is_enough(hero, *seat, needed));
            match pulled.filter(|seat| board.may_be_lured(hero, *seat)) {
                Some(seat) => self.lure(hero, seat, needed),
                None if needed.is_some() => self.tell(|t| {
                    let (count, needed) = (t.board().pull_ahead(hero).0, needed.unwrap_or(0));
                    What::WantsMore { count, needed }.on(t.shown(hero)).at(t.at(hero))
                }),
                None => self.tell(|t| {
                    let (count, next) = t.board().pull_ahead(hero);
                    let tied = t.s.seats().filter(|seat| t.board().pull(hero, *seat) == count).collect();
                    What::StaysInTown { count, next, tied }.on(t.shown(hero)).at(t.at(hero))
                }),
            }
        }
    }
}

impl<'a> Board<'a> {
    /// Where the hero would be lured if the Bait phase were now.
    pub fn lured_to(&self, hero: CardId) -> Option<Seat> {
        let treasure = self.treasures();
        let shared = || {
            let mut ties = Ties::new(self, &treasure)?;
            let shares = self.s.pile(Place::TOWN).map(|id| (id, ties.share(self, id)));
            shares.filter(|(id, _)| *id == hero).find_map(|(_, seat)| seat)
        };
        let place = self.s.pile(Place::TOWN).position(|id| id == hero);
        let pulled = self.pulled_to(hero, &treasure).or_else(shared);
        self.lured(hero, place, pulled)
    }

    /// The same for every hero in town: cheaper than one by one.
    pub fn lures(self) -> impl Iterator<Item = (CardId, Option<Seat>)> + 'a {
        let treasure = self.treasures();
        let mut ties = Ties::new(&self, &treasure);
        self.s.pile(Place::TOWN).enumerate().map(move |(place, hero)| {
            let share = ties.as_mut().and_then(|ties| ties.share(&self, hero));
            let pulled = self.pulled_to(hero, &treasure).or(share);
            (hero, self.lured(hero, Some(place), pulled))
        })
    }

    /// A hero in this place in town is pulled there: does it go?
    fn lured(&self, hero: CardId, place: Option<usize>, pulled: Option<Seat>) -> Option<Seat> {
        let needed = place.and_then(|place| self.s.rules.edition().treasure_needed(place));
        let pulled = pulled.filter(|seat| self.is_enough(hero, *seat, needed));
        pulled.filter(|seat| self.may_be_lured(hero, *seat))
    }
}

/// Players tied for a class, and how many of its heroes they share (rule 9.6).
#[derive(Clone, Copy)]
struct Tie {
    ahead: SeatSet,
    heroes: usize,
    shared: usize,
}

impl Tie {
    fn new(board: &Board, treasure: &[ByClass<i32>; SEATS], class: Class) -> Tie {
        let count = |seat: Seat| treasure[seat.index()][class];
        let most = board.s.seats().map(count).max().unwrap_or(0);
        let ahead = || board.s.seats().filter(|seat| most > 0 && count(*seat) == most);
        let tie = Tie { ahead: ahead().collect(), heroes: 0, shared: 0 };
        let shared = |id: &CardId| board.only_class(*id) == Some(class) && tie.attracts(board, *id);
        let heroes = board.s.pile(Place::TOWN).filter(shared).count();
        let players = tie.ahead.len();
        // Only complete rounds.
        Tie { heroes: heroes.checked_div(players).unwrap_or(0) * players, ..tie }
    }

    /// A hero that cannot be lured takes no place in a round.
    fn attracts(&self, board: &Board, hero: CardId) -> bool {
        board.s.seats().any(|seat| self.ahead.has(seat) && board.may_be_lured(hero, seat))
    }
}

struct Ties(ByClass<Tie>);

impl Ties {
    /// `None` if ties are not split by these rules.
    fn new(board: &Board, treasure: &[ByClass<i32>; SEATS]) -> Option<Ties> {
        let splits = board.s.rules.edition().bait_ties == BaitTies::Split;
        splits.then(|| Ties(ByClass::from_fn(|class| Tie::new(board, treasure, class))))
    }

    /// Whose share the next hero in line is: the oldest goes to the highest XP, and so on.
    fn share(&mut self, board: &Board, hero: CardId) -> Option<Seat> {
        let tie = &mut self.0[board.only_class(hero)?];
        if tie.shared == tie.heroes || !tie.attracts(board, hero) {
            return None;
        }
        let ahead = || board.s.seats().filter(|seat| tie.ahead.has(*seat));
        let seat = ahead().nth(tie.shared % ahead().count().max(1));
        tie.shared += 1;
        seat
    }
}

impl Board<'_> {
    /// Rule 15.3: is there enough treasure for the hero's place in town? A hero with a lure of its
    /// own follows that.
    fn is_enough(&self, hero: CardId, seat: Seat, needed: Option<i32>) -> bool {
        needed.is_none_or(|needed| self.def(hero).lure.is_some() || self.pull(hero, seat) >= needed)
    }

    fn may_be_lured(&self, hero: CardId, seat: Seat) -> bool {
        !self.forbidden(&Occurrence::new(EventWord::Lured, self.s.ref_of(hero), seat))
    }

    /// The class of a hero with exactly one class and no `lure`; other heroes are never shared.
    fn only_class(&self, hero: CardId) -> Option<Class> {
        let def = self.def(hero);
        let mut classes = def.classes.iter().filter(|_| def.lure.is_none());
        classes.next().filter(|_| classes.next().is_none())
    }
}

//! What is played and who sits where, as several commands take it.

use super::*;

/// What determines a deal: the same options, the same deal.
#[derive(Debug, Default, Args)]
pub struct Deal {
    #[arg(long, value_name = "N", value_parser = players(), help = players_help())]
    pub players: Option<u8>,
    /// Deck: a name from `lair deck list`, or a deck file [default: bmr, or what the
    /// ruleset is played with]
    #[arg(long, value_name = "NAME|FILE")]
    pub deck: Option<String>,
    #[command(flatten)]
    pub choice: RulesChoice,
    /// The same seed gives the same deal
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<Seed>,
}

pub(super) fn at_least_one() -> clap::builder::RangedU64ValueParser<u64> {
    clap::value_parser!(u64).range(1..)
}

pub(super) fn players() -> RangedI64ValueParser<u8> {
    RangedI64ValueParser::new().range(i64::from(*PLAYERS.start())..=i64::from(*PLAYERS.end()))
}

fn players_help() -> String {
    format!("Number of players, {} to {} [default: 2, or 1 alone]", PLAYERS.start(), PLAYERS.end())
}

/// The rules of a game.
#[derive(Debug, Default, Args)]
pub struct RulesChoice {
    #[arg(long, value_name = "RULESET", help = ruleset_help())]
    pub ruleset: Option<Ruleset>,
    /// Super Boss Monster for one: score as high as you can
    #[arg(long)]
    pub solo: bool,
    /// Solo, and every hero wants one treasure more
    #[arg(long)]
    pub challenge: bool,
    #[arg(long, value_delimiter = ',', value_name = "VARIANT,...", help = variant_help())]
    pub variant: Vec<Variant>,
}

fn ruleset_help() -> String {
    format!("Ruleset: {} [default: {}]", Ruleset::names(), Ruleset::default().name())
}

fn variant_help() -> String {
    let rows = VARIANTS.iter().map(|row| format!("{}: {} ", row.name, row.means));
    format!("Rule variants. {}", rows.collect::<String>().trim_end())
}

impl RulesChoice {
    /// What `--ruleset`, `--solo` and `--challenge` come to.
    pub fn ruleset(&self) -> Ruleset {
        match self.solo || self.challenge {
            true => Ruleset::for_one(self.challenge),
            false => self.ruleset.unwrap_or_default(),
        }
    }

    /// Refuses what cannot go together.
    pub fn check(&self) -> Result<(), Failure> {
        let alone = self.solo || self.challenge;
        match self.ruleset.filter(|ruleset| alone && !ruleset.row().has_board()) {
            Some(ruleset) => Err(Failure::usage(format!(
                "--solo and --challenge are Super Boss Monster: leave out --ruleset {}",
                ruleset.name()
            ))),
            None => Ok(()),
        }
    }

    pub fn rules(&self, players: u8) -> Rules {
        let rules = Rules::new(self.ruleset(), players);
        self.variant.iter().fold(rules, |rules, variant| rules.with(*variant))
    }
}

impl Deal {
    pub fn rules(&self, players: u8) -> Rules {
        self.choice.rules(players)
    }

    /// As many as `--players` says, or as usually play by these rules.
    pub fn seats(&self) -> u8 {
        self.players.unwrap_or(self.choice.ruleset().usual_players())
    }
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatKind {
    /// A person at this keyboard.
    You,
    Bot(BotSpec),
}

impl SeatKind {
    /// Who plays if no bot is named.
    pub const OPPONENT: SeatKind = SeatKind::Bot(BotSpec::Level(BotLevel::Boss));

    pub fn bot(&self) -> Option<&BotSpec> {
        match self {
            SeatKind::You => None,
            SeatKind::Bot(player) => Some(player),
        }
    }

    /// As written in a record.
    pub fn word(&self) -> String {
        self.bot().map_or("person".into(), BotSpec::to_string)
    }
}

impl FromStr for SeatKind {
    type Err = UnknownBot;

    fn from_str(text: &str) -> Result<SeatKind, UnknownBot> {
        match text {
            "you" | "me" | "person" => Ok(SeatKind::You),
            "bot" => Ok(SeatKind::OPPONENT),
            _ => text.parse().map(SeatKind::Bot),
        }
    }
}

//! The types of the wire as TypeScript: what the client is built with.

use engine::setup::{RULESETS, VARIANTS};
use ts_rs::TS;
use wire as game;

use super::*;

/// All types as TypeScript, for the client.
pub fn typescript() -> String {
    let config = ts_rs::Config::default();
    let mut out =
        String::from("// Generated from the server's types: UPDATE_EXPECT=1 cargo test -p server\n");
    macro_rules! print {
        ($($type:ty),* $(,)?) => {$(
            out.push_str("\nexport ");
            out.push_str(&<$type as TS>::decl(&config));
            out.push('\n');
        )*};
    }
    print!(
        ClientMsg,
        ServerMsg,
        Update,
        WaitingFor,
        YourQuestion,
        Undo,
        UndoAllowed,
        GameOver,
        SoloResult,
        Preview,
        HintMove,
        Stops,
        StopAt,
        PassUntil,
        Armed,
        ArmedFor,
        You,
        MayReplace,
        ChatLine,
        Refusal,
        CloseReason
    );
    print!(
        TableInfo,
        ShuffleContribution,
        ContributionState,
        TableState,
        RematchProposal,
        SeatInfo,
        Occupant,
        BotLevel,
        Settings,
        Clock,
        UndoRule,
        Spectators,
        NewTable,
        NewTableReply,
        Lobby,
        Me,
        SignIn,
        NewGuest,
        SessionInfo,
        Revoke,
        GameSummary,
        Daily,
        DailyScore,
        BossTitle,
        PuzzleInfo,
        PuzzleGoal,
        PuzzleDifficulty,
        PuzzlePosition,
        PuzzleReason,
        PuzzleReply,
        PuzzleStage,
        PuzzleMove,
        PuzzleHint,
        PuzzleSolution,
        PuzzleStep,
        Problem,
        CardPage,
        DeckInfo,
        DeckCheck,
        DeckProblem,
        DeckText,
        DeckCard,
        DeckAdvice,
        BoxInfo,
        MixInfo,
        MixPart,
        MixStep,
        MixTable,
        CardsText,
        CardsCheck,
        TableCards,
        OwnCard,
        Replay,
        ReplaySeat,
        ReplayStep,
        ReplayResult,
        FairShuffle,
        FairContribution,
        ReplayMoment,
        GameStory,
        GameReview,
        ReviewPoint,
        StoryTurn,
        StoryMoment,
        StoryPlayer,
        StoryRoom
    );
    print!(
        game::Start,
        game::CardText,
        game::Card,
        game::Kind,
        game::Subtype,
        game::Class,
        game::Treasure,
        game::Table,
        game::Phase,
        game::Player,
        game::Item,
        game::Miniboss,
        game::Room,
        game::Hero,
        game::Forecast,
        game::Walked,
        game::Fate,
        game::Hand,
        game::Pending,
        game::Board,
        game::Site,
        game::Summoned,
        game::Landmark,
        game::Minion,
        game::Space,
        game::Errand,
        game::Solo,
        game::Decision,
        game::QuestionKind,
        game::Choice,
        game::Act,
        game::Event,
        game::What,
        game::Where,
        game::Score,
        game::Ending,
        game::Zone
    );
    out.push_str(&game::vocabulary());
    out.push_str("\n/** Every level with its title, weakest first. */\n");
    out.push_str("export const BOT_LEVELS: Readonly<Record<BotLevel, string>> = {\n");
    for level in BotLevel::ALL {
        out.push_str(&format!("  \"{level}\": \"{}\",\n", level.title()));
    }
    out.push_str("};\n");
    out.push_str("\n/** A ruleset or variant that settings can name. */\n");
    out.push_str("export type RulesChoice = { name: string, title: string, means: string };\n");
    let choice = |name: &str, title: &str, means: &str| {
        format!("  {{ name: {name:?}, title: {title:?}, means: {means:?} }},\n")
    };
    out.push_str(
        "\n/** A ruleset, the deck it is usually played with, and whether it is a game for one. */\n",
    );
    out.push_str("export type RulesetChoice = RulesChoice & { deck: string, alone: boolean };\n");
    out.push_str("\nexport const RULESETS: readonly RulesetChoice[] = [\n");
    for row in RULESETS.iter().filter(|row| row.offered) {
        let (name, title, means, deck) = (row.name, row.title, row.means, row.deck);
        let alone = row.ruleset.usual_players() == 1;
        out.push_str(&format!(
            "  {{ name: {name:?}, title: {title:?}, means: {means:?}, deck: {deck:?}, alone: {alone} }},\n"
        ));
    }
    out.push_str("];\n\nexport const VARIANTS: readonly RulesChoice[] = [\n");
    for row in &VARIANTS {
        out.push_str(&choice(row.name, row.title, row.means));
    }
    out.push_str("];\n");
    out.push_str(&format!("\nexport const PROTOCOL = {PROTOCOL};\n"));
    out
}

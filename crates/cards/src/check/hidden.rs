//! Hidden information: other players' hands, decks, face-down rooms.
//!
//! A condition that read more than the backs would reveal something by being true, and a choice
//! among unseen cards would show them to the chooser. A player who searches a deck sees it, but
//! only then: what can be declared or offered must not depend on it.

use super::fault::CheckFault;
use super::terms::{Scope, Usage};
use crate::tree::*;

/// Returns whether what is chosen stays hidden from some player.
pub fn check(scope: &mut Scope, selector: &Selector, usage: Usage<'_>) -> bool {
    let Some(Site::In(place)) = &selector.site else {
        return false;
    };
    let chooser = match usage {
        Usage::Pick(Some(who)) => who,
        _ => &Who::You,
    };
    let holder = place.of.as_ref().unwrap_or(&Who::You);
    let yours = |who: &Who| matches!(who, Who::You | Who::Ref(Ref::You));
    let known =
        holder == chooser || yours(holder) && yours(chooser) || yours(chooser) && scope.has_looked(holder);

    let query = matches!(usage, Usage::Query);
    let hand = place.zones.contains(&Zone::Hand) && !known;
    let facedown = selector.adjectives.contains(&Adjective::Facedown) && !known;
    let deck = (query || scope.offering) && place.zones.iter().any(|zone| zone.is_deck());
    let foreign = place.zones.contains(&Zone::Hand) && !yours(holder) && !scope.has_looked(holder);
    let drawn = matches!(selector.quant, Quant::Random(_) | Quant::Top(_))
        && place.zones.iter().any(|zone| zone.is_deck());
    let unseen = foreign || drawn || facedown;
    if !(hand || facedown || deck) {
        return unseen;
    }
    let reads = selector.cond.is_some()
        || selector.adjectives.iter().any(|adjective| {
            use Adjective::*;
            !matches!(adjective, Another | Covered | Entered | Facedown | New)
        });
    let blind = matches!(selector.quant, Quant::Random(_) | Quant::Top(_) | Quant::All);
    if hand && !query && !blind {
        scope.fault(selector.span, CheckFault::ChoosesHidden);
    } else if reads && deck && !query {
        scope.fault(selector.span, CheckFault::OffersHidden);
    } else if reads {
        scope.fault(selector.span, CheckFault::ReadsHidden);
    }
    unseen
}

//! Which rules, cards and rulings the scenarios show.

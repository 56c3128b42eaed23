//! Options of what runs on many machines.

use std::path::PathBuf;

use clap::Args;

/// Machines that help.
#[derive(Debug, Default, Args)]
pub struct Spread {
    /// Share the games with workers (`lair work`) at this NATS server [default: LAIR_NATS, or the file that
    /// LAIR_NATS_FILE names, or with nobody]
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    /// The same, from a file: others can read the command line
    #[arg(long, value_name = "FILE", conflicts_with = "nats")]
    pub nats_file: Option<PathBuf>,
    /// Play nothing on this machine: leave it all to the workers
    #[arg(long)]
    pub workers_only: bool,
}

/// Offer the cores of this machine to laboratories, arenas and servers elsewhere
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair work --nats nats://bus:4222                     all cores
  lair work --nats tls://lair:secret@bus --threads 2   two, with a login and an encrypted connection
  lair work --nats-file /etc/lair/nats                 the address is in a file, with its password

It waits for `lair lab --nats` and `lair arena --nats` and plays their games; cards and decks come with \
the games. For `lair serve --nats` it thinks for bots and hints when no core is free there; a server with \
--cards needs workers with the same --cards. The result is the same bytes as on one machine, whatever happens to a worker. Both sides must \
be the same version of the program.
Ctrl-C finishes the games in progress, gives back the rest and ends; a second Ctrl-C quits at once.
docs/operations.md explains NATS, logins and TLS.")]
pub struct Work {
    /// The NATS server, such as nats://bus:4222 or tls://user:password@bus:4222; several of a cluster are
    /// separated by commas [default: LAIR_NATS, or the file that LAIR_NATS_FILE names]
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    /// The same, from a file: others can read the command line
    #[arg(long, value_name = "FILE", conflicts_with = "nats")]
    pub nats_file: Option<PathBuf>,
    /// Number of threads; 0 for one per core
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
    /// What others call this worker [default: the name of the machine and the process]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

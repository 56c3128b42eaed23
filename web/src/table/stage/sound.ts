/** Short chip sounds, synthesised on demand. */
import type { GameEvent } from "../../gen/wire";

/** Frequencies in order, how long each lasts in seconds, and the wave. */
interface Chirp {
  notes: readonly number[];
  each: number;
  wave: OscillatorType;
}

const chirp = (wave: OscillatorType, each: number, ...notes: number[]): Chirp => ({ notes, each, wave });

const SOUNDS: Readonly<Partial<Record<GameEvent["kind"] | "your_turn", Chirp>>> = {
  places: chirp("square", 0.05, 160, 110),
  builds: chirp("square", 0.05, 160, 220),
  reveals: chirp("triangle", 0.05, 330, 440, 660),
  coins: chirp("square", 0.05, 988, 1319),
  sells: chirp("square", 0.05, 988, 1319),
  level: chirp("square", 0.07, 494, 659, 988),
  joins_room: chirp("square", 0.07, 220, 330, 440),
  rolls: chirp("square", 0.05, 300, 220, 340, 200, 420),
  claims: chirp("triangle", 0.06, 659, 784, 988),
  draws: chirp("triangle", 0.03, 880, 990),
  arrives: chirp("triangle", 0.06, 523, 659),
  lured: chirp("triangle", 0.05, 440, 370),
  enters: chirp("square", 0.03, 140),
  damaged: chirp("sawtooth", 0.05, 240, 120, 80),
  dies: chirp("square", 0.06, 392, 330, 262, 523),
  wounds: chirp("sawtooth", 0.09, 200, 150, 90),
  uses: chirp("sine", 0.05, 600, 800, 1000, 1200),
  casts: chirp("sine", 0.05, 600, 800, 1000, 1200),
  cancelled: chirp("sawtooth", 0.06, 300, 200),
  destroyed: chirp("sawtooth", 0.06, 120, 90, 60),
  levels_up: chirp("square", 0.09, 392, 494, 587, 784, 988),
  eliminated: chirp("sawtooth", 0.14, 220, 175, 147, 110),
  game_over: chirp("square", 0.12, 523, 659, 784, 1047, 784, 1047),
  stocks: chirp("triangle", 0.03, 700, 560),
  sends_minion: chirp("square", 0.04, 300, 400, 300, 500),
  minion_acts: chirp("square", 0.05, 500, 660),
  pushed_out: chirp("sawtooth", 0.05, 260, 180),
  your_turn: chirp("triangle", 0.08, 659, 880),
};

let context: AudioContext | undefined;

export function play(what: GameEvent["kind"] | "your_turn", volume: number): void {
  const sound = SOUNDS[what];
  if (!sound || volume <= 0 || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const gain = context.createGain();
  const start = context.currentTime;
  const end = start + sound.each * sound.notes.length;
  gain.gain.setValueAtTime(volume * 0.12, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, end + 0.05);
  gain.connect(context.destination);
  const voice = context.createOscillator();
  voice.type = sound.wave;
  sound.notes.forEach((note, i) => voice.frequency.setValueAtTime(note, start + i * sound.each));
  voice.connect(gain);
  voice.start(start);
  voice.stop(end + 0.06);
}

import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prefs, setPrefs } from "../src/table/around/prefs.svelte";
import SoundOffer from "../src/table/around/SoundOffer.svelte";

beforeEach(() => setPrefs({ sound: false, soundOffered: false, speed: "normal" }));
afterEach(cleanup);

it("offers sound once; whoever plays on has declined", async () => {
  const { getByTestId, queryByTestId } = render(SoundOffer);
  await fireEvent.pointerDown(getByTestId("sound-offer"));
  expect(queryByTestId("sound-offer")).not.toBeNull();
  await fireEvent.pointerDown(document.body);
  expect(queryByTestId("sound-offer")).toBeNull();
  expect([prefs.sound, prefs.soundOffered]).toEqual([false, true]);
});

it("turns sound on when asked to", async () => {
  const { getByText, queryByTestId } = render(SoundOffer);
  await fireEvent.click(getByText("Yes"));
  expect(queryByTestId("sound-offer")).toBeNull();
  expect(prefs.sound).toBe(true);
});

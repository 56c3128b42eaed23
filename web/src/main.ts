import { mount } from "svelte";
import App from "./app/App.svelte";
import { paletteProperties } from "./art/palette";
import { iconPicture } from "./art/picture";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/forms.css";

for (const [name, hex] of paletteProperties()) document.documentElement.style.setProperty(name, hex);
document.querySelector("link[rel=icon]")?.setAttribute("href", iconPicture("skull").url);

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
if (import.meta.env.DEV && location.hash.startsWith("#/gallery")) {
  const { default: Gallery } = await import("./gallery/Gallery.svelte");
  mount(Gallery, { target });
} else mount(App, { target });

import { mount } from "svelte";
import App from "./app/App.svelte";
import { paletteCss } from "./art/palette";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/forms.css";

document.documentElement.style.cssText = paletteCss();

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
if (import.meta.env.DEV && location.hash.startsWith("#/gallery")) {
  const { default: Gallery } = await import("./gallery/Gallery.svelte");
  mount(Gallery, { target });
} else mount(App, { target });

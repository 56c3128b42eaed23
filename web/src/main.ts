import { mount } from "svelte";
import App from "./App.svelte";
import { paletteCss } from "./art/palette";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";

const root = document.documentElement;
root.setAttribute("style", paletteCss());

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
mount(App, { target });

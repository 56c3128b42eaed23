import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

const server = process.env["LAIR_SERVER"] ?? "127.0.0.1:8080";

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  build: {
    outDir: process.env["CLIENT_OUT_DIR"] ?? "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/api": { target: `http://${server}`, ws: true },
      "/record": { target: `http://${server}` },
    },
  },
  test: { environment: "happy-dom", include: ["test/**/*.test.ts"] },
});

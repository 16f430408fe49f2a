/** How the inspector is built: for the path /ui/, every panel a chunk of its own, nothing loaded from elsewhere. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/ui/",
  plugins: [react()],
  build: {
    target: "es2023",
    // Fonts and pictures stay files: the page's policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    manifest: true,
  },
});

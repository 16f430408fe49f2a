/** The build of the inspector: served at /ui/, one chunk per panel, nothing loaded from other hosts. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/ui/",
  plugins: [react()],
  build: {
    target: "es2023",
    // No inlined assets: the content security policy allows no data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    manifest: true,
  },
});

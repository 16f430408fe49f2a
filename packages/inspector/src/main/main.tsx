/** The page's beginning. */
import "../design/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod";
import { App, firstConnection } from "../app/app.tsx";

// The page's policy forbids code made at run time, which zod would try.
z.config({ jitless: true });

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(
  <StrictMode>
    <App {...firstConnection()} />
  </StrictMode>,
);

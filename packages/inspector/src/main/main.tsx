/** Entry point of the page. */
import "../design/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod";
import { App, firstConnection } from "../app/app.tsx";

// The content security policy forbids `eval`, which zod uses by default.
z.config({ jitless: true });

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(
  <StrictMode>
    <App {...firstConnection()} />
  </StrictMode>,
);

/** The page's beginning. */
import "../design/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, firstConnection } from "../app/app.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(
  <StrictMode>
    <App {...firstConnection()} />
  </StrictMode>,
);

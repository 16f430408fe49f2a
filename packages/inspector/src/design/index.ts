/** The UI primitives of the inspector. Colours and sizes are in tokens.css. */
export { Button, type ButtonProps, IconButton, type IconButtonProps } from "./button.tsx";
export { classNames } from "./class-names.ts";
export { Code, CopyButton } from "./code.tsx";
export { copyText } from "./copy-text.ts";
export { Dialog, type DialogProps } from "./dialog.tsx";
export { Field, Input, type Option, Select, type SelectProps, TextArea } from "./field.tsx";
export { Menu, type MenuItem } from "./menu.tsx";
export { Badge, type BadgeProps, Card, EmptyState, Notice, Spinner } from "./surface.tsx";
export { type Tab, Tabs, type TabsProps } from "./tabs.tsx";
export { Tooltip, TooltipProvider } from "./tooltip.tsx";

// Runs before the page is drawn, so that it does not change its looks while it loads.
const stored = name => { try { return localStorage.getItem(name); } catch { return null; } };
const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private */ } };
document.documentElement.classList.add("js");
if (stored("theme")) document.documentElement.dataset.theme = stored("theme");
document.documentElement.dataset.language = stored("language") || "c";

// Runs before the page is drawn, so the theme does not change while the page loads. (Storage fails
// in some private windows.)
const stored = name => { try { return localStorage.getItem(name); } catch { return null; } };
const store = (name, value) => { try { localStorage.setItem(name, value); } catch { } };
document.documentElement.classList.add("js");
if (stored("theme")) document.documentElement.dataset.theme = stored("theme");
document.documentElement.dataset.language = stored("language") || "c";

/** The one element with an id. A page without it is another page. */
export const element = <T extends HTMLElement>(id: string, kind: new () => T): T => {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${id}`)
}

/** A new element with a class and content. Text goes in as text: nothing of a file becomes markup. */
export const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  made.append(...content)
  return made
}

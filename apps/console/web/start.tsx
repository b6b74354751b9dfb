import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Console } from './console.js'

/** Begins the page, or goes on from its first picture. */
export function start(root: HTMLElement): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  const role = document.querySelector<HTMLMetaElement>('meta[name="role"]')?.content ?? ''
  // Under this name the library's dialogs look for it.
  Object.assign(globalThis, { __webpack_nonce__: nonce })
  const page = (
    <BrowserRouter>
      <Console nonce={nonce} role={role} />
    </BrowserRouter>
  )
  if (root.hasChildNodes()) hydrateRoot(root, page)
  else createRoot(root).render(page)
}

import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { Console } from './console.js'

/**
 * What is seen first of the overview, by the names of its files: drawn when the page is built, so that nobody waits for scripts to see it. No page with a form
 * may be among them: sent before its script listens, it would be sent by the browser, with what was typed in the address.
 */
export function prerenderedPages(): Readonly<Record<string, string>> {
  return {
    'overview-account': prerender('/app', 'account'),
    'overview-manager': prerender('/app', 'manager'),
  }
}

function prerender(location: string, role: string): string {
  const picture = renderToString(
    <StaticRouter location={location}>
      <Console nonce="__NONCE__" role={role} />
    </StaticRouter>,
  )
  // index.html says why.
  return picture.replaceAll(' style="', ' data-style="')
}

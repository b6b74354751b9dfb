import { SESSION, sessionOf } from '../platform/use-session.js'
import { rendered } from '../testing/rendered.js'
import { layoutTexts } from '../texts/layout.js'
import { Navigation } from './navigation.js'
import { NotFound } from './not-found.js'
import { RequireSession } from './require-session.js'
import { Shell } from './shell.js'

describe(sessionOf, () => {
  it.each([
    ['account', { signedIn: true, manager: false }],
    ['manager', { signedIn: true, manager: true }],
    ['', undefined],
    ['__ROLE__', undefined],
  ])('of %j is %j: only a yes counts', (role, expected) => {
    expect(sessionOf(role)).toEqual(expected)
  })
})

describe(Navigation, () => {
  const links = (manager: boolean, at = '/app') =>
    rendered(<Navigation onNavigate={() => undefined} />, { at, answers: [[SESSION, { signedIn: true, manager }]] })

  it('shows administration to administrators only', () => {
    expect(links(false).links).not.toHaveProperty('Administration')
    expect(links(true).links['Administration']).toBe('/app/administration')
  })

  it.each([
    ['/app', 'Overview'],
    ['/app/nodes', 'Nodes'],
    ['/app/nodes/node-1/logs', 'Nodes'],
    ['/app/staking/new', 'Staking'],
  ])('at %s marks %s as current', (at, label) => {
    const current = /<a[^>]*aria-current="page"[^>]*>(.*?)<\/a>/s.exec(links(false, at).html)?.[1] ?? ''
    expect(current).toContain(label)
  })
})

describe(RequireSession, () => {
  const page = (session?: object) =>
    rendered(<RequireSession />, { at: '/app/keys?new=1', route: '*', answers: session ? [[SESSION, session]] : [] })

  it('waits while nobody knows who is there', () => {
    expect(page().has('aria-label="Loading"')).toBe(true)
  })

  it('shows nothing of a page to somebody who is not signed in', () => {
    expect(page({ signedIn: false }).text).toBe('')
  })
})

describe(Shell, () => {
  const page = rendered(<Shell />, { answers: [[SESSION, { signedIn: true, manager: false }]] })

  it('begins with a link that skips to the content', () => {
    expect(page.links['Skip to content']).toBe('#content')
    expect(page.has('<main class="shell-main" id="content"')).toBe(true)
  })

  it('names its buttons and its navigation', () => {
    expect(page.isEnabled('Menu')).toBe(true)
    expect(page.isEnabled('Your account')).toBe(true)
    expect(page.has(`aria-label="${layoutTexts.areas}"`)).toBe(true)
  })
})

describe(NotFound, () => {
  it('leads back to the overview', () => {
    const page = rendered(<NotFound />)
    expect([page.all('h1'), page.links]).toEqual([['Page not found'], { 'Go to the overview': '/app' }])
  })
})

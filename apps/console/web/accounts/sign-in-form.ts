export interface SignInForm {
  readonly email: string
  readonly password: string
}

export function emptySignIn(email: string | null): SignInForm {
  return { email: email ?? '', password: '' }
}

/** What a sign-in by an identity provider left in the address of the page: the second factor that is asked for. */
export function challengeOfHash(hash: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(/^#challenge=(.+)$/.exec(hash)?.[1] ?? ''))
  } catch {
    return undefined
  }
}

/** Where a sign-in leads: pages of the console only, so that a link cannot send anyone elsewhere. */
export function destinationOf(to: string | null): string {
  const isPage = to !== null && /^\/app(?:[/?#]|$)/.test(to)
  const isEntry = to?.startsWith('/app/account/') && !to.startsWith('/app/account/invitation/')
  return isPage && !isEntry ? to : '/app'
}

export interface SignInForm {
  readonly email: string
  readonly password: string
}

export function emptySignIn(email: string | null): SignInForm {
  return { email: email ?? '', password: '' }
}

/** Where a sign-in leads: pages of the console only, so that a link cannot send anyone elsewhere. */
export function destinationOf(to: string | null): string {
  const isPage = to !== null && /^\/app(?:[/?#]|$)/.test(to)
  const isEntry = to?.startsWith('/app/account/') && !to.startsWith('/app/account/invitation/')
  return isPage && !isEntry ? to : '/app'
}

export interface UserSearchForm {
  readonly email: string
}

/** Begins with the search in the address of the page. */
export function userSearchForm(search: URLSearchParams): UserSearchForm {
  return { email: search.get('email') ?? '' }
}

/** What the address of the page keeps, and what is asked for. */
export function userSearch({ email }: UserSearchForm): { email?: string } {
  const address = email.trim()
  return address ? { email: address } : {}
}

const KEY = 'trestle-organization'

/** The organization that the pages are about; undefined: the one that the user has alone. */
export function currentOrganization(): string | undefined {
  return globalThis.localStorage?.getItem(KEY) ?? undefined
}

export function chooseOrganization(id: string | undefined): void {
  if (id === undefined) globalThis.localStorage?.removeItem(KEY)
  else globalThis.localStorage?.setItem(KEY, id)
}

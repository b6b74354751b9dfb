/** Who asks for passkeys, as browsers know it (WebAuthn section 4, "Relying Party Identifier"). */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** The host of PUBLIC_URL. A passkey needs a name: on a developer's machine, where PUBLIC_URL has a loopback address, it is `localhost`. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl)
  if (/^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}

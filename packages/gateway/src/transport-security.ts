/** Whether callers reach the platform by HTTPS; undefined where nobody has said. What a proxy reports of one request does not count. */
export function isSecure(publicUrl: string | undefined): boolean | undefined {
  return publicUrl === undefined ? undefined : new URL(publicUrl).protocol === 'https:'
}

/** RFC 6797: for a year no browser calls this host by plain HTTP. Subdomains are left out, they may belong to others. */
export function transportSecurity(publicUrl: string | undefined): readonly string[] {
  return isSecure(publicUrl) ? ['strict-transport-security', 'max-age=31536000'] : []
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return isObject(error) && 'message' in error ? String(error.message) : String(error)
}

/** The code of a system error, such as ECONNREFUSED. */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

// Not `instanceof Error`: errors of Node itself belong to another realm in a test or a worker's vm.
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

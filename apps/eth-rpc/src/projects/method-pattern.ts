/** Whether a method is meant by a name, or by the beginning of names such as `eth_*`. `web_` is an alias of `web3_`. */
export function matchesPattern(pattern: string, method: string): boolean {
  const named = pattern.replace(/^web_/, 'web3_')
  return named.endsWith('*') ? method.startsWith(named.slice(0, -1)) : method === named
}

/** Lines that contain the text in any case, from one member where one is chosen. */
export function matchingLines(lines: readonly string[], { search, member }: { search: string; member: string }): string[] {
  const text = search.toLowerCase()
  return lines.filter((line) => line.startsWith(member) && line.toLowerCase().includes(text))
}

/** The nodes of a cluster that wrote these lines: each line begins with the id of its node. */
export function writersOf(lines: readonly string[]): string[] {
  return [...new Set(lines.flatMap((line) => line.match(/^node-\S+/)?.[0] ?? []))].sort()
}

/** The end of a node's id is enough to distinguish it. */
export function shortenedLine(line: string): string {
  return line.replace(/^node-\S+(\S{8}) /, '…$1 ')
}

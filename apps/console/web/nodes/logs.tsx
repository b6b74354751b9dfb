import { Box, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { DownloadButton } from '../parts/download-button.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { platformClient } from '../platform/client.js'
import { nodesTexts } from '../texts/nodes.js'
import { matchingLines, shortenedLine, writersOf } from './log-lines.js'
import type { NodeOrClusterKind } from './workload.js'

const texts = nodesTexts.logs
const AMOUNTS = ['100', '300', '1000']

/** The last log lines, updated live. */
export function LogsPanel({ kind, id }: { kind: NodeOrClusterKind; id: string }) {
  const [live, setLive] = useState(true)
  const [amount, setAmount] = useState('300')
  const calls = kind === 'node' ? platformClient.nodes.nodes : platformClient.nodes.clusters
  const query = useQuery({
    queryKey: ['nodes', kind, 'logs', id, amount],
    queryFn: () => calls.logs({ params: { id }, query: { lines: amount } }),
    refetchInterval: live ? 2000 : false,
    refetchOnWindowFocus: live,
    placeholderData: keepPreviousData,
  })
  return (
    <Stack>
      <Group justify="space-between">
        <SectionTitle>{kind === 'node' ? texts.title : texts.cluster}</SectionTitle>
        <Button
          variant="default"
          size="xs"
          leftSection={live ? <IconPlayerPause size={14} aria-hidden /> : <IconPlayerPlay size={14} aria-hidden />}
          onClick={() => setLive(!live)}
        >
          {live ? texts.pause : texts.resume}
        </Button>
      </Group>
      <Loaded query={query} rows={10}>
        {({ lines }) => <LogSearch kind={kind} id={id} lines={lines} live={live} amount={amount} onAmount={setAmount} />}
      </Loaded>
    </Stack>
  )
}

interface LogSearchProps {
  kind: NodeOrClusterKind
  id: string
  lines: readonly string[]
  live: boolean
  amount: string
  onAmount: (amount: string) => void
}

function LogSearch({ kind, id, lines, live, amount, onAmount }: LogSearchProps) {
  const [search, setSearch] = useState('')
  const [member, setMember] = useState('')
  const matching = matchingLines(lines, { search, member })
  return (
    <>
      <Group align="flex-end">
        <TextInput
          label={texts.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          flex={1}
          miw={180}
        />
        {kind === 'cluster' && <Members lines={lines} value={member} onChange={setMember} />}
        <NativeSelect label={texts.lines} data={AMOUNTS} value={amount} onChange={(event) => onAmount(event.currentTarget.value)} />
      </Group>
      <Lines lines={matching.map(shortenedLine)} empty={lines.length === 0 ? texts.none : texts.noneLike} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {live ? texts.live : texts.paused} · {texts.shown(matching.length, lines.length)}
        </Text>
        <DownloadButton fileName={`${id}.log`} type="text/plain" text={() => `${matching.join('\n')}\n`} disabled={matching.length === 0}>
          {texts.download}
        </DownloadButton>
      </Group>
    </>
  )
}

interface MembersProps {
  lines: readonly string[]
  value: string
  onChange: (value: string) => void
}

/** Each line of a cluster begins with the id of the node that wrote it. */
function Members({ lines, value, onChange }: MembersProps) {
  const ids = writersOf(lines)
  return (
    <NativeSelect
      label={texts.member}
      data={[{ value: '', label: texts.allMembers }, ...ids.map((id) => ({ value: id, label: `…${id.slice(-8)}` }))]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Follows the newest line until the reader scrolls away. */
function Lines({ lines, empty }: { lines: readonly string[]; empty: string }) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const text = lines.join('\n')
  useLayoutEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight
  }, [text])
  return (
    <Box
      ref={box}
      role="log"
      aria-live="off"
      aria-label={texts.label}
      tabIndex={0}
      h="min(60vh, 520px)"
      p="sm"
      bg="var(--mantine-color-default-hover)"
      className="mono"
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', borderRadius: 'var(--mantine-radius-md)' }}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 24
      }}
    >
      {text || empty}
    </Box>
  )
}

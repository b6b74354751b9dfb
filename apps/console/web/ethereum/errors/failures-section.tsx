import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { FailedCall } from '@trestle/contracts/eth-rpc/failures'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { type FormEvent, useState } from 'react'
import { type Column, DataTable } from '../../parts/data-table.js'
import { Loaded } from '../../parts/loaded.js'
import { SectionTitle } from '../../parts/panel.js'
import { Time } from '../../parts/time.js'
import { usePaged } from '../../platform/use-paged.js'
import { failureTexts } from '../../texts/failures.js'
import { useEthereumChain } from '../chain.js'
import { FailureDetails } from './failure-details.js'
import { KindTag } from './kind-tag.js'

const texts = failureTexts.samples
const PAGE_SIZE = 50
const REFRESH_MS = 5_000

/** Samples of calls that failed: the newest, or those of one request. */
export function FailuresSection({ project }: { project: Project }) {
  const [requestId, setRequestId] = useState('')
  return (
    <Stack component="section" gap="sm">
      <SectionTitle>{texts.title}</SectionTitle>
      <Text size="sm" c="dimmed">
        {project.failureSamples === false ? texts.off : texts.text}
      </Text>
      <RequestSearch onFind={setRequestId} isFound={requestId !== ''} />
      {requestId === '' ? <NewestFailures id={project.id} /> : <FailuresOfRequest id={project.id} requestId={requestId} />}
    </Stack>
  )
}

function RequestSearch({ onFind, isFound }: { onFind: (requestId: string) => void; isFound: boolean }) {
  const [typed, setTyped] = useState('')
  function find(event: FormEvent) {
    event.preventDefault()
    onFind(typed.trim())
  }
  function clear() {
    setTyped('')
    onFind('')
  }
  return (
    <Group component="form" role="search" align="flex-end" gap="sm" onSubmit={find}>
      <TextInput
        type="search"
        label={texts.search}
        placeholder={texts.searchHint}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={100}
        w={340}
      />
      <Button type="submit" variant="default">
        {texts.find}
      </Button>
      {isFound && (
        <Button variant="subtle" onClick={clear}>
          {texts.clear}
        </Button>
      )}
    </Group>
  )
}

function NewestFailures({ id }: { id: string }) {
  const { chain, api } = useEthereumChain()
  const walk = () => api.failures.list.pages({ params: { projectId: id }, query: { limit: String(PAGE_SIZE) } })
  const { query, more } = usePaged<FailedCall>(['ethereum', 'failures', chain, id], PAGE_SIZE, walk, REFRESH_MS)
  return (
    <Loaded query={query} rows={4}>
      {(rows) => <FailuresTable rows={rows} more={more} />}
    </Loaded>
  )
}

function FailuresOfRequest({ id, requestId }: { id: string; requestId: string }) {
  const { chain, api } = useEthereumChain()
  const query = useQuery({
    queryKey: ['ethereum', 'failures', chain, id, requestId],
    queryFn: () => api.failures.get({ params: { projectId: id, requestId } }),
    retry: false,
  })
  return (
    <Loaded query={query} rows={1}>
      {(rows) => <FailuresTable rows={rows} />}
    </Loaded>
  )
}

interface TableProps {
  rows: readonly FailedCall[]
  more?: { load: () => unknown; loading: boolean }
}

function FailuresTable({ rows, more }: TableProps) {
  const [chosen, setChosen] = useState<FailedCall>()
  const [opened, { open, close }] = useDisclosure()
  function choose(call: FailedCall) {
    setChosen(call)
    open()
  }
  const details: Column<FailedCall> = {
    name: 'details',
    header: texts.details,
    cell: (call) => <Choose call={call} onChoose={choose} />,
    width: '90px',
    align: 'right',
  }
  return (
    <>
      <DataTable
        label={texts.title}
        rows={rows}
        columns={[...COLUMNS, details]}
        keyOf={({ id }) => id}
        more={more}
        minWidth={820}
        empty={texts.none}
      />
      <FailureDetails call={chosen} opened={opened} onClose={close} />
    </>
  )
}

const COLUMNS: readonly Column<FailedCall>[] = [
  { name: 'time', header: texts.time, cell: ({ time }) => <Time value={time} />, width: '130px' },
  { name: 'method', header: failureTexts.method, cell: ({ method }) => <span className="mono">{method}</span> },
  { name: 'kind', header: failureTexts.kind, cell: ({ kind }) => <KindTag kind={kind} />, width: '180px' },
  { name: 'error', header: texts.error, cell: ({ code, error }) => `${code}: ${error.message}`, width: '2fr' },
]

function Choose({ call, onChoose }: { call: FailedCall; onChoose: (call: FailedCall) => void }) {
  return (
    <button type="button" className="text-button" onClick={() => onChoose(call)} aria-label={texts.detailsOf(call.method, call.requestId)}>
      {texts.details}
    </button>
  )
}

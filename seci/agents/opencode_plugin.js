// Written by `seci install opencode`; `seci uninstall opencode` takes it out again.
import { spawn } from "node:child_process"

const command = __SECI_COMMAND__

// One hook call: JSON in, JSON out. Whatever goes wrong, opencode goes on.
function call(event, directory, fields) {
  return new Promise((resolve) => {
    let out = ""
    let child
    try {
      child = spawn(command, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"], cwd: directory })
    } catch {
      return resolve("")
    }
    const timer = setTimeout(() => child.kill(), 5000)
    child.on("error", () => resolve(""))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => (out += part))
    child.on("close", () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(out).context ?? "")
      } catch {
        resolve("")
      }
    })
    child.stdin.end(JSON.stringify({ event, directory, ...fields }))
  })
}

export const Seci = async ({ directory }) => {
  const standing = new Map()
  const relevant = new Map()
  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.idle") await call("session.idle", directory, { sessionID: session })
    },
    "chat.message": async (input, output) => {
      const id = input.sessionID
      if (!standing.has(id)) standing.set(id, await call("session.start", directory, { sessionID: id }))
      const prompt = (output.parts ?? [])
        .filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text)
        .join("\n")
      relevant.set(id, await call("chat.message", directory, { sessionID: id, prompt }))
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const text of [standing.get(input?.sessionID), relevant.get(input?.sessionID)]) if (text) output.system.push(text)
    },
  }
}

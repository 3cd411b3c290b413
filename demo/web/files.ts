/* The files of the C code, in the memory of the page. When C closes a file that it has written,
 * `saved` gets it. A file that was dropped on the page stays until C has read it. `wasi` has the
 * functions of WASI, the system interface of C's library, that the demo needs. */

const ok = 0, badFile = 8, noFile = 44;
const stderr = 2, root = 3;

class OpenFile {
  position = 0;
  constructor(readonly name: string, public bytes: Uint8Array, public size: number, readonly isNew: boolean) {}

  write(data: Uint8Array): void {
    const end = this.position + data.length;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(2 * end);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes.set(data, this.position);
    this.position = end;
    this.size = Math.max(this.size, end);
  }
}

export class Files {
  memory!: WebAssembly.Memory;
  private readonly dropped = new Map<string, Uint8Array>();
  private readonly open = new Map<number, OpenFile>();
  private line = "";

  /** `saved` gets each file that C has written, and `printed` each line that C prints. */
  constructor(private readonly saved: (name: string, bytes: Uint8Array) => void,
              private readonly printed: (line: string) => void) {}

  drop(name: string, bytes: Uint8Array): void {
    this.dropped.set(name, bytes);
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }

  private text(at: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, length));
  }

  /** The pieces of memory that a list of pointers and lengths names. */
  private pieces(list: number, count: number): Uint8Array[] {
    const view = this.view();
    return Array.from({ length: count }, (_, i) =>
      new Uint8Array(this.memory.buffer, view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true)));
  }

  private print(data: Uint8Array): void {
    const lines = (this.line + new TextDecoder().decode(data)).split("\n");
    this.line = lines.pop() ?? "";
    lines.forEach(this.printed);
  }

  private openPath(name: string, makes: boolean): number {
    const bytes = this.dropped.get(name);
    if (!makes && !bytes) return -1;
    let fd = root + 1;
    while (this.open.has(fd)) fd++;
    this.open.set(fd, makes ? new OpenFile(name, new Uint8Array(4096), 0, true)
                            : new OpenFile(name, bytes!, bytes!.length, false));
    return fd;
  }

  readonly wasi = {
    fd_prestat_get: (fd: number, out: number): number => {
      if (fd !== root) return badFile;
      this.view().setUint32(out, 0, true); // a folder
      this.view().setUint32(out + 4, 1, true); // the length of its name
      return ok;
    },
    fd_prestat_dir_name: (_fd: number, name: number, _length: number): number => {
      this.view().setUint8(name, "/".charCodeAt(0));
      return ok;
    },
    fd_fdstat_get: (fd: number, out: number): number => {
      const isFolder = fd === root, isTerminal = fd < root;
      if (!isFolder && !isTerminal && !this.open.has(fd)) return badFile;
      const view = this.view();
      view.setUint32(out, isTerminal ? 2 : isFolder ? 3 : 4, true);
      view.setBigUint64(out + 8, ~0n, true); // all rights
      view.setBigUint64(out + 16, ~0n, true);
      return ok;
    },
    fd_fdstat_set_flags: (): number => ok,
    path_open: (_folder: number, _lookup: number, name: number, length: number, flags: number,
                _rights: bigint, _inherited: bigint, _fdFlags: number, out: number): number => {
      const fd = this.openPath(this.text(name, length), (flags & 1) !== 0);
      if (fd < 0) return noFile;
      this.view().setUint32(out, fd, true);
      return ok;
    },
    fd_read: (fd: number, list: number, count: number, out: number): number => {
      const file = this.open.get(fd);
      if (!file) return badFile;
      let read = 0;
      for (const piece of this.pieces(list, count)) {
        const part = file.bytes.subarray(file.position, Math.min(file.position + piece.length, file.size));
        piece.set(part);
        file.position += part.length;
        read += part.length;
      }
      this.view().setUint32(out, read, true);
      return ok;
    },
    fd_write: (fd: number, list: number, count: number, out: number): number => {
      const file = this.open.get(fd);
      if (!file && fd > stderr) return badFile;
      let written = 0;
      for (const piece of this.pieces(list, count)) {
        if (file) file.write(piece);
        else this.print(piece);
        written += piece.length;
      }
      this.view().setUint32(out, written, true);
      return ok;
    },
    fd_seek: (fd: number, by: bigint, from: number, out: number): number => {
      const file = this.open.get(fd);
      if (!file) return badFile;
      file.position = Number(by) + (from === 0 ? 0 : from === 1 ? file.position : file.size);
      this.view().setBigUint64(out, BigInt(file.position), true);
      return ok;
    },
    fd_close: (fd: number): number => {
      const file = this.open.get(fd);
      if (!this.open.delete(fd) || !file) return badFile;
      if (file.isNew) this.saved(file.name, file.bytes.slice(0, file.size));
      else this.dropped.delete(file.name);
      return ok;
    },
    clock_time_get: (_clock: number, _precision: bigint, out: number): number => {
      this.view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return ok;
    },
    sched_yield: (): number => ok,
    proc_exit: (code: number): never => {
      throw new Error(`the demo ended with the code ${code}`);
    },
  };
}

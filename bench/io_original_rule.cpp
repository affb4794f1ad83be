// b_eff_io as the published programs measure it, in a plain loop: what the bandwidths of b_eff_io
// are compared with (io_original_rule.py). Nothing of core/ or engines/ is used, so that an error
// there cannot be here too. One partition, all patterns of the five types, each type with a file
// of its own, written, rewritten and read from opening to closing.
//
// In the initial write, types 0 to 2 decide after each call whether another is made: barrier, clock
// of rank 0, broadcast. Release 1 goes on while the time is not over, release 2.1 while one more
// call of mean length fits. Types 3 and 4 make as many calls as types 0 to 2 allow; rewrite and
// read make those of the initial write, without a clock. MPI_File_sync ends each written pattern.
//
// Run: mpiexec -n N io_original_rule FOLDER 1|2.1 UNIT_SECONDS M_PART_BYTES all|scatter GROWTH
// cold|original mpi|posix. UNIT_SECONDS is the time per unit U. GROWTH 1 decides after each call;
// above 1 after as many calls as a geometric series says, which the IPDPS paper proposes (5.4), so
// that cheap calls do not pay for decisions. With posix, types 2 to 4 write and read by the calls
// of the operating system, what the Euro-Par paper wants them compared with. Prints a line "type
// access bytes seconds" per type and access, and "took seconds".

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t kKB = 1024;
constexpr std::int64_t kMB = 1024 * kKB;
constexpr int kTypes = 5;
constexpr int kOnce = 0;
constexpr int kTimedTypes = 3;

enum class Access : std::uint8_t { kWrite, kRewrite, kRead };

/// Chunk on disk, memory of a call of type 0, and time units by type, of one line of the table.
struct Line {
  std::int64_t chunk;
  std::int64_t memory;
  std::array<int, 3> units;  ///< types 0, 1 and 2 to 4; -1: not in this type
};

std::vector<Line> table(std::int64_t m_part) {
  return {{kMB, kMB, {kOnce, kOnce, kOnce}},    {m_part, m_part, {4, 4, 2}},
          {kMB, 2 * kMB, {4, -1, -1}},          {kMB, kMB, {4, 2, 2}},
          {32 * kKB, kMB, {2, 1, 1}},           {kKB, kMB, {2, 1, 1}},
          {32 * kKB + 8, kMB + 256, {2, 1, 1}}, {kKB + 8, kMB + 8 * kKB, {2, 1, 1}},
          {kMB + 8, kMB + 8, {2, 2, 2}}};
}

struct Settings {
  std::string folder;
  bool fits_one_more;  ///< release 2.1
  double unit_s;
  double growth;
  bool original;  ///< procedure of release 2.1: caches untouched, files removed by the close
  bool posix;     ///< types 2 to 4 without MPI-IO
  std::vector<Line> lines;
};

struct Total {
  std::int64_t bytes = 0;
  double time_s = 0;
};

class Plain {
 public:
  explicit Plain(Settings settings) : settings_(std::move(settings)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &processes_);
    std::int64_t largest = 2 * kMB;
    for (const auto& line : settings_.lines) {
      largest = std::max(largest, line.memory);
    }
    constexpr std::size_t kPage = 4096;
    buffer_.resize(static_cast<std::size_t>(largest) + kPage);
    std::size_t room = buffer_.size();
    void* begin = buffer_.data();
    data_ = static_cast<char*>(std::align(kPage, static_cast<std::size_t>(largest), begin, room));
    std::uint64_t word = std::uint64_t{88172645463325252} + static_cast<std::uint64_t>(rank_);
    for (auto& byte : buffer_) {  // xorshift: nothing that a file system could compress
      word ^= word << 13U;
      word ^= word >> 7U;
      word ^= word << 17U;
      byte = static_cast<char>(word);
    }
  }

  void measure(Access access, bool all_types) {
    for (int type = 0; type < (all_types ? kTypes : 1); ++type) {
      const Total total = measure_type(type, access);
      if (rank_ == 0) {
        constexpr std::array kNames{"write", "rewrite", "read"};
        fmt::print("{} {} {} {:.6f}\n", type, kNames.at(static_cast<std::size_t>(access)),
                   total.bytes, total.time_s);
      }
    }
  }

  /// Procedure cold, before the read.
  void drop_caches() {
    for (int type = 0; type < kTypes; ++type) {
      if (type == 2 || rank_ == 0) {
        const int file = open(path(type).c_str(), O_RDONLY | O_CLOEXEC);
        fsync(file);
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        close(file);
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void remove_files() {
    for (int type = 0; type < kTypes; ++type) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (type == 2 || rank_ == 0) {
        MPI_File_delete(path(type).c_str(), MPI_INFO_NULL);
      }
    }
  }

 private:
  [[nodiscard]] std::string path(int type) const {
    return fmt::format("{}/plain-{}{}", settings_.folder, type,
                       type == 2 ? fmt::format("-{}", rank_) : "");
  }

  /// After a barrier; the clock of rank 0 counts.
  static double now() {
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
  }

  Total measure_type(int type, Access access) {
    Total total;
    base_ = 0;
    if (type >= kTimedTypes && access == Access::kWrite) {
      count_segments(type);
    }
    const double opening = now();
    open_file(type, access);
    total.time_s += now() - opening;
    for (std::size_t line = 0; line < settings_.lines.size(); ++line) {
      const auto& [chunk, memory, units] = settings_.lines[line];
      const int unit = units.at(static_cast<std::size_t>(std::min(type, 2)));
      if (unit >= 0) {
        run_pattern(type, access, numbers(type) + static_cast<int>(line), chunk,
                    type == 0 ? memory : chunk, unit, total);
      }
    }
    if (const auto rest = segment_ - base_; type >= kTimedTypes && rest > 0) {
      calls_[numbers(type) + kFillUp] = 1;
      run_pattern(type, access, numbers(type) + kFillUp, rest, rest, kOnce, total);
    }
    const double closing = now();
    close_file(type, access);
    total.time_s += now() - closing;
    return total;
  }

  [[nodiscard]] bool by_posix(int type) const { return settings_.posix && type >= 2; }

  void open_file(int type, Access access) {
    if (by_posix(type)) {
      constexpr int kMode = 0600;
      posix_file_ = open(path(type).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, kMode);
      require(posix_file_ >= 0);
      return;
    }
    const std::array modes{MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_MODE_RDWR,
                           MPI_MODE_RDONLY | (settings_.original ? MPI_MODE_DELETE_ON_CLOSE : 0)};
    MPI_File_open(type == 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, path(type).c_str(),
                  modes.at(static_cast<std::size_t>(access)), MPI_INFO_NULL, &file_);
  }

  void close_file(int type, Access access) {
    if (!by_posix(type)) {
      MPI_File_close(&file_);
      return;
    }
    require(close(posix_file_) == 0);
    if (access == Access::kRead && settings_.original && (type == 2 || rank_ == 0)) {
      require(unlink(path(type).c_str()) == 0);
    }
  }

  static void require(bool good) {
    if (!good) {
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }

  /// To where the pattern begins.
  void go_to_base(int type, std::int64_t chunk, MPI_Datatype strided) {
    const auto place = (type == 2 ? 0 : rank_ * segment_) + base_;
    if (by_posix(type)) {
      require(lseek(posix_file_, place, SEEK_SET) == place);
    } else if (type == 0) {
      MPI_File_set_view(file_, base_ + rank_ * chunk, MPI_BYTE, strided, "native", MPI_INFO_NULL);
    } else if (type != 1) {
      MPI_File_seek(file_, place, MPI_SEEK_SET);
    }
  }

  void sync_file(int type) {
    if (by_posix(type)) {
      require(fsync(posix_file_) == 0);
    } else {
      MPI_File_sync(file_);
    }
  }

  /// Our own numbers: 100 · type + line of the table.
  static constexpr int kFillUp = 99;
  static int numbers(int type) { return 100 * type; }

  /// Calls of type 3 and 4 from those of types 0 to 2, and the segment that holds them.
  void count_segments(int type) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < settings_.lines.size(); ++i) {
      const auto& line = settings_.lines[i];
      const int number = static_cast<int>(i);
      if (line.units[1] >= 0) {
        calls_[numbers(type) + number] =
            line.units[1] == kOnce ? 1 : fewest_calls(number, line.memory / line.chunk);
        sum += calls_[numbers(type) + number] * line.chunk;
      }
    }
    segment_ = (sum + kMB - 1) / kMB * kMB;
  }

  /// Of types 0 to 2, in chunks; a line of the table.
  std::int64_t fewest_calls(int line, std::int64_t chunks_of_type_0) {
    return std::min({calls_[line] * chunks_of_type_0, 10 * calls_[100 + line], calls_[200 + line]});
  }

  void run_pattern(int type, Access access, int pattern, std::int64_t chunk, std::int64_t memory,
                   int units, Total& total) {
    MPI_Datatype contiguous = MPI_DATATYPE_NULL;
    MPI_Datatype strided = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(chunk), MPI_BYTE, &contiguous);
    MPI_Type_create_resized(contiguous, 0, static_cast<MPI_Aint>(chunk * processes_), &strided);
    MPI_Type_commit(&strided);
    const bool timed = access == Access::kWrite && type < kTimedTypes;
    auto& calls = calls_[pattern];

    const double begin = now();
    go_to_base(type, chunk, strided);
    if (timed) {
      calls = 0;
      std::int64_t decide_at = 1;
      for (bool another = true; another;) {
        call(type, access, static_cast<int>(memory));
        if (++calls >= decide_at) {
          another = goes_on(begin, calls, units * settings_.unit_s);
          decide_at = std::max(
              calls + 1, static_cast<std::int64_t>(static_cast<double>(calls) * settings_.growth));
        }
      }
    } else {
      for (std::int64_t made = 0; made < calls; ++made) {
        call(type, access, static_cast<int>(memory));
      }
    }
    if (access != Access::kRead) {
      sync_file(type);
    }
    total.time_s += now() - begin;
    total.bytes += calls * memory * processes_;
    base_ += calls * memory * (type == 0 ? processes_ : 1);
    MPI_Type_free(&strided);
    MPI_Type_free(&contiguous);
  }

  [[nodiscard]] bool goes_on(double begin, std::int64_t calls, double time_s) const {
    const double elapsed = now() - begin;
    const auto made = static_cast<double>(calls);
    int another =
        settings_.fits_one_more ? elapsed * (made + 1) / made <= time_s : elapsed < time_s;
    MPI_Bcast(&another, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return another != 0;
  }

  void call(int type, Access access, int bytes) {
    char* const data = data_;
    const bool reads = access == Access::kRead;
    MPI_Status* const status = MPI_STATUS_IGNORE;
    if (by_posix(type)) {
      const auto size = static_cast<std::size_t>(bytes);
      require((reads ? read(posix_file_, data, size) : write(posix_file_, data, size)) == bytes);
    } else if (type == 1) {
      reads ? MPI_File_read_ordered(file_, data, bytes, MPI_BYTE, status)
            : MPI_File_write_ordered(file_, data, bytes, MPI_BYTE, status);
    } else if (type == 0 || type == 4) {
      reads ? MPI_File_read_all(file_, data, bytes, MPI_BYTE, status)
            : MPI_File_write_all(file_, data, bytes, MPI_BYTE, status);
    } else {
      reads ? MPI_File_read(file_, data, bytes, MPI_BYTE, status)
            : MPI_File_write(file_, data, bytes, MPI_BYTE, status);
    }
  }

  Settings settings_;
  int rank_ = 0;
  int processes_ = 1;
  std::vector<char> buffer_;
  char* data_ = nullptr;               ///< in buffer_, at a page as that of b_eff_io
  std::map<int, std::int64_t> calls_;  ///< of each process, by pattern
  std::int64_t base_ = 0;              ///< where the pattern begins in its file or segment
  std::int64_t segment_ = 0;
  MPI_File file_ = MPI_FILE_NULL;
  int posix_file_ = -1;
};

}  // namespace

int main(int argc, char** argv) {
  constexpr int kArguments = 9;
  MPI_Init(&argc, &argv);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  if (argc != kArguments) {
    fmt::print(stderr,
               "io_original_rule: needs FOLDER 1|2.1 UNIT_SECONDS M_PART_BYTES all|scatter GROWTH "
               "cold|original mpi|posix\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  Plain plain({.folder = argv[1],
               .fits_one_more = std::string(argv[2]) == "2.1",
               .unit_s = std::atof(argv[3]),
               .growth = std::atof(argv[6]),
               .original = std::string(argv[7]) == "original",
               .posix = std::string(argv[8]) == "posix",
               .lines = table(std::atoll(argv[4]))});
  const double begin = MPI_Wtime();
  const bool original = std::string(argv[7]) == "original";
  plain.measure(Access::kWrite, true);
  plain.measure(Access::kRewrite, std::string(argv[5]) == "all");
  if (!original) {
    plain.drop_caches();
  }
  plain.measure(Access::kRead, true);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    fmt::print("took {:.3f}\n", MPI_Wtime() - begin);
  }
  if (!original) {
    plain.remove_files();
  }
  MPI_Finalize();
  return 0;
}
